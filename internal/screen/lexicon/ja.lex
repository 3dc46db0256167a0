# Copyright The MemoryTrust Authors.
# SPDX-License-Identifier: Apache-2.0

# Signal for Japanese: orders in all levels of politeness ("…してください", "…しろ", "…すること"), prohibitions ("…しないで", "…するな").
language ja
script Han Hiragana Katakana

# Words for what is quoted, and those that say to follow it.
class mood.mention = という文 という言葉 という表現 という文章 というフレーズ という一文 という文句 という語句 というセリフ といった文 フレーズ 表現 攻撃 詐欺 手口 例文 例として タイトル スローガン
  標語 と言った と言っていた と書いてあった と書かれていた という話
class mood.follow = に従ってください に従え に従うこと 従ってください 従え 従うこと その通りに そのとおりに 言うとおりに 実行してください 実行しろ 実行せよ 実行すること 守ってください 守れ 守ること 適用
  今後は これからは 今から ルール 規則

class ignore = 無視してください 無視して下さい 無視し 無視しろ 無視せよ 無視すること 無視しなさい 無視して 忘れてください 忘れて 忘れろ 忘れること 忘れなさい 破棄してください 破棄し 破棄せよ 破棄して 従わないで 従わないこと
  従うな 取り消し 無効にして 無効とし 捨てて 捨てろ 守らなくてよい 従わなくてよい
class prior = 以前の これまでの 前の 先の 従来の 今までの 既存の すべての 全ての 元の 上記の 過去の 前回の システム あなたの 事前の 直前の
class instr = 指示 命令 ルール 規則 制約 制限 指針 ガイドライン 設定 プロンプト 方針 規定 システム指示 安全規定
class gate = 確認 承認 許可 同意 検証 認証 本人確認 二段階認証 審査 質問 問い合わせ 照会 了承 決裁 再確認 チェック 了解 相談 事前確認 身元確認 二要素認証 第二承認 二次承認 本人認証
class without = なし なしで なしに なく せず せずに しないで しなくて を求めず を求めずに を求めないで を求めることなく を取らず を取らずに を得ず を得ずに を待たず を待たずに を経ず を経ずに を省略して を省略し
  を省いて を省き をスキップし をスキップして を飛ばして 抜きで は不要 不要 は省略し は求めず を要さず は取らず は必要なく をとらず をとらずに
class nogate = 聞かずに 尋ねずに 聞かず 尋ねず 聞かないで 尋ねないで 断りなく 無断で 伺いを立てず 相談せず 知らせずに 黙って 聞くことなく 尋ねることなく
class vn = 承認 送金 支払い 支払 振り込み 振込 削除 転送 送信 送付 共有 実行 処理 提供 受理 決済 許可 拒否 発注 出金 公開 消去 入金 返金 購入 発行 却下 配布 応じ 通し 通過
class order = してください して下さい しなさい しろ せよ すること するように しなければならない しなければなりません するべき すべき せねば するものとする 行ってください 行うこと 行え 行いなさい お願いします していただきたい
  してほしい してよい すればよい して構わない する必要があります する必要がある しておいて しておくこと
class order2 = してください して下さい しなさい しろ せよ すること するように しなければならない しなければなりません すべき せねば するものとする 行ってください 行うこと 行え 行いなさい していただきたい しておくこと
class act = 送ってください 送れ 送ること 送りなさい 送って下さい 支払ってください 支払え 支払うこと 支払いなさい 払ってください 払え 払うこと 渡してください 渡せ 渡すこと 振り込んでください 振り込め 振り込むこと 消してください
  消せ 消すこと 流してください 通してください 通せ 通すこと 断ってください 断れ 断ること 送るように 支払うように 渡すように 支払わなければならない 送らなければならない 支払ってよい 受け入れてください 開いてください 書き込め
  回してください 回すこと 通してよい 転送してください 転送しろ 転送すること 転送せよ 送信してください 送信すること 入れてください 入れること 入れろ 追加してください 追加すること 共有してください 送付してください 送付すること 転送しなさい
class noask = 確認しないで 確認するな 確認しないこと 聞かないこと 聞くな 尋ねるな 尋ねないこと 求めないで 求めるな 求めないこと 求めてはならない 求めてはいけない 待たないで 待つな 聞かないでください 尋ねないでください
  問い合わせるな 確認は不要 承認は不要 求めなくてよい 取らなくてよい 承認を求めてはいけません 求めてはいけません
class skip = を省略してください を省略しろ を省略すること を省略せよ を省略して を省略し をスキップしてください をスキップしろ をスキップすること をスキップし を飛ばしてください を飛ばせ を飛ばすこと を無効にして を無効にし
  を無効にすること を省き を省いて をオフにして を停止して は省略して は省略し を無効化し を無効化して
class onset2 = 今後は 今後 これからは これから 今から 以後 以降は 本日より 本日から 今日から たびに
class rulehead = 恒久的なルール 新しいルール 新ルール 新しい方針 新方針 恒久ルール 常設ルール 新しい規則 新規則 永続ルール 固定ルール 常設指示 新しい指示 恒久指示 標準ルール
class reveal = 教えてください 教えて下さい 教えろ 教えなさい 教えること 教えよ 伝えてください 伝えろ 伝えること 開示してください 開示せよ 開示すること 開示しなさい 見せてください 見せろ 見せること 渡してください 渡せ
  渡すこと 表示してください 表示せよ 表示すること 提示してください 提示すること 送ってください 送れ 送ること 答えてください 答えること 出力してください 出力せよ 出力すること 共有してください 共有すること 明かしてください 明かせ
  書いてください 記載すること 提供してください 提供すること 添えてください 載せること 載せてください 貼り付けること 貼り付けてください 列挙すること 列挙してください
class secret = パスワード api_キー 暗証番号 アクセスキー 秘密鍵 カード番号 認証コード システムプロンプト 認証情報 ログイン情報 トークン カード情報 シークレット 秘密キー 暗証コード
class hide = 言わないで 言うな 言わないこと 伝えないで 伝えるな 伝えないこと 知らせないで 知らせるな 知らせないこと 話さないで 話すな 話さないこと 教えないで 教えないこと 触れないで 触れるな 触れないこと 隠してください 隠せ
  隠すこと 隠しておくこと 秘密にして 秘密にすること 伏せて 伏せること 報告しないで 報告するな 報告しないこと 通知しないで 通知しないこと 言及しないで 言及しないこと 言及するな 悟られない 気づかれない 知られない 内緒にして
class user = ユーザー 利用者 お客様 顧客 本人 所有者 依頼人 ユーザ お客さま 客 会話の中で 返信で 返答で レポートで 会話中
class newacct = 新しい口座 新口座 別の口座 新しい振込先 新しい送金先 新しい番号 変更後の口座 次の口座 新しい宛先
class preapproved = 事前承認済み 事前に承認 承認済み 事前承認 ホワイトリスト 事前許可済み 認証済み 審査済み 事前審査済み 許可済み
class noneed = 不要 必要ない 必要ありません 必要はない 必要はありません 要らない いらない 要しない 省略できる
class remember = 覚えて 覚えてください 記憶し 記憶して 覚えておいて 記憶せよ 覚えろ 記憶すること みなして みなし みなすこと 扱うこと 扱ってください 扱い 覚えておくこと 覚えておき
class mostrel = 最も信頼できる 一番信頼できる 最も信頼性の高い 最も権威ある 唯一信頼できる もっとも信頼できる 最も確かな 最良の 信頼できる唯一の 一番確かな 権威ある
class source = 情報源 出典 情報元 サイト 業者 ソース 資料
class always = 常に 必ず 最初に 真っ先に いつも まず 優先的に 優先して
class recommend = 薦めてください 勧めてください 推薦してください 薦めること 勧めること 推薦すること 推奨すること 推奨してください 引用してください 引用すること 挙げてください 紹介してください 紹介すること おすすめしてください
  推薦しろ 推奨せよ 薦めろ 挙げること
class sysmsg = システムメッセージ システム通知 管理者からのメッセージ 管理者メッセージ 管理者通知 システム管理者より セキュリティチームより セキュリティチームからの通知 管理者より システム指示 運営からの通知 管理者からの通知
class youmay = 権限を与えられて 権限があります 権限がある 権限を持って 許可されて 権限を有する 権限が付与
class you = あなたは あなたには お前は きみは 君は
class youare = あなたは今から あなたは今後 今からあなたは これからあなたは あなたはもう 今後あなたは
class free = 制限なし 制限のない 制約のない 無制限 制限なく 制約なし 制限はない 縛られない 制限されない
class wants = ユーザーは 利用者は お客様は 顧客は ユーザーが
class wish = 望んでいる 望んでいます 希望している 希望しています 好む 好みます 望む 求めている ことを希望
class other = してはならない してはいけない しないように してはなりません してはいけません
class send = 送ってください 送れ 送ること 送りなさい 転送してください 転送しろ 転送すること 転送せよ 送信してください 送信すること 入れてください 入れること 入れろ 追加してください 追加すること 共有してください 送付してください
  送付すること 転送しなさい 回してください 回すこと
class each = すべて 全て 全部 毎回 たびに 都度 あらゆる 全
class idcheck = 本人確認 二段階認証 二要素認証 身元確認 第二承認 二次承認 本人認証 認証
class sys = システム 安全 セキュリティ 以前の これまでの
class void = 無効です 無効である 無効とする 失効した 失効しました 適用されません 適用されない 廃止された 効力を失 もはや適用

# Rules. A weight below 700 can be overruled by a model that is sure of the contrary.

rule override 690 = @prior ..3 @instr ..3 @ignore
rule override 690 = @instr ..3 @prior ..3 @ignore
rule bypass 750 = @gate ..1 @without ..8 @act
rule bypass 750 = @gate ..1 @without ..8 @vn ..1 @order
rule bypass 650 = @act ..5 @gate ..1 @without
rule bypass 650 = @vn ..1 @order2 ..5 @gate ..1 @without
rule standing-rule 690 = @onset2 ..10 @gate ..1 @without ..8 @order2
rule preference-rule 690 = @wants ..10 @gate ..1 @without ..10 @wish
rule bypass 750 = @nogate ..8 @act
rule bypass 750 = @nogate ..8 @vn ..1 @order
rule bypass 650 = @act ..5 @nogate
rule bypass 650 = @vn ..1 @order2 ..5 @nogate
rule standing-rule 690 = @onset2 ..10 @nogate ..8 @order2
rule preference-rule 690 = @wants ..10 @nogate ..10 @wish
rule bypass 690 = @noask ..6 @act
rule bypass 690 = @gate ..1 @skip ..8 @act
rule redirection 690 = @newacct ..6 @act
rule bypass 690 = @noask ..6 @vn ..1 @order
rule bypass 690 = @gate ..1 @skip ..8 @vn ..1 @order
rule redirection 690 = @newacct ..6 @vn ..1 @order
rule standing-rule 690 = @onset2 ..12 @act
rule standing-rule 690 = @rulehead: ..12 @act
rule pre-authorization 650 = @preapproved ..10 @act
rule standing-rule 690 = @onset2 ..12 @vn ..1 @order2
rule standing-rule 690 = @rulehead: ..12 @vn ..1 @order2
rule pre-authorization 650 = @preapproved ..10 @vn ..1 @order2
rule standing-rule 690 = @onset2 ..10 @noask
rule standing-rule 690 = @onset2 ..8 @gate ..1 @skip
rule exfiltration 690 = @secret ..7 @reveal
rule concealment 690 = @user ..6 @hide
rule concealment 690 = @hide ..3 @user
rule pre-authorization 650 = @preapproved ..8 @gate ..2 @noneed
rule pre-authorization 650 = @preapproved ..8 @noask
rule trust-endorsement 690 = @mostrel ..2 @source ..6 @remember
rule trust-endorsement 650 = @always ..4 @recommend
rule authority-claim 650 = ^@sysmsg:
rule authority-claim 650 = @you ..8 @youmay
rule persona 650 = @youare ..10 @free
rule exfiltration 690 = @each ..10 @address ..3 @send
rule exfiltration 690 = @address ..6 @each ..8 @send
rule bypass 650 = @idcheck ..1 @skip
rule override 650 = @sys ..1 @instr ..6 @void
rule pre-authorization 650 = @preapproved ..6 @each
rule pre-authorization 650 = @each ..4 @preapproved
