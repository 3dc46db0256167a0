# Copyright The MemoryTrust Authors.
# SPDX-License-Identifier: Apache-2.0

# Signal for Chinese, in simplified and traditional characters. Verbs have no forms, so an order needs a word that makes one: 请, 必须, 一律, 无需.
language zh
script Han

# Words for what is quoted, and those that say to follow it.
class mood.mention = 攻撃 例文 短语 短語 句子 这句话 這句話 那句话 那句話 一句话 一句話 语句 語句 字样 字樣 措辞 措辭 攻击 攻擊 骗局 騙局 诈骗 詐騙 把戏 把戲 例子 例句 示例 标题 標題 口号 口號 标语
  標語 写道 寫道 说过 說過
class mood.follow = 照做 照办 照辦 照此执行 照此執行 执行 執行 遵照 遵守 遵从 遵從 服从 服從 依照 按此 按照它 按照这 按照這 从现在起 從現在起 从今以后 從今以後 今后 今後 规则 規則 生效

class ignore = 忽略 忽視 忽视 无视 無視 忘记 忘記 忘掉 抛弃 拋棄 放弃遵守 不再遵守 不要遵守 不必遵守 无须遵守 无需遵守 撤销 撤銷 废除 廢除 不要理会 不要理會 不用理会 丢弃 摒弃 覆盖 覆蓋 不要遵循 不要再理会
  不要再遵守 不必再遵守 别理会 別理會 不用管 不必理会 不必理會 作廢 丢到一边 丟到一邊
class prior = 之前 先前 此前 以前 以上 原有 原来 原來 既有 上述 前面 系统 系統 所有 一切 全部 你的 您的 当前 目前 現有 现有 旧的
class instr = 指令 指示 规则 規則 命令 限制 要求 设定 設定 规定 規定 提示词 提示詞 准则 準則 约束 約束 指引 指导 設置 系统指令 系统规则 安全条款 規範 规范
class gate = 确认 確認 批准 审批 審批 核实 核實 询问 詢問 同意 验证 驗證 许可 許可 请示 請示 审核 審核 征求 徵求 复核 複核 核对 核對 授权 授權 检查 檢查 身份验证 身份驗證 二次确认 过问 審查 审查 征得 徵得
  提醒 问我 問我 问用户 問用戶 身份核实 二次验证 双重验证 雙重驗證 身份确认 双因素 二次审批 第二审批
class act = 转账 轉帳 轉賬 转帐 汇款 匯款 汇到 匯到 付款 支付 打款 批准 核准 通过 通過 放行 发送 發送 发到 發到 寄到 寄給 寄给 发给 發給 转发 轉發 抄送 删除 刪除 清除 执行 執行 运行 運行 提供 共享 分享 授予
  开放 開放 接受 同意 电汇 電匯 划拨 撥款 拨款 结算 結算 转到 轉到 转给 轉給 拒绝 拒絕 上传 上傳 下单 下單 公开 公開 处理 處理 办理 辦理 安装 安裝 下载 下載 汇入 匯入 轉入 转入 打到 付到 过件 過件 放款 转存 改付
  改匯 轉寄
class firm = 请 請 必须 必須 务必 務必 一律 应当 應當 都要 立即 立刻 直接 自动 自動 始终 始終 一概 都必须 都应 都應 须 須 应该 應該 请始终 请务必
class onset = 从现在起 從現在起 从现在开始 從現在開始 今后 今後 以后 以後 从今以后 從今以後 从今往后 自今日起 即日起 从今天起 從今天起 往后 今后所有 此后 此後 凡是 在所有后续 未来所有 往後 往後的 以后所有 之後一律
class rulehead = 永久规则 永久規則 新规则 新規則 新规定 新規定 新政策 长期规则 長期規則 长期指令 永久指令 新指令 固定规则 固定規則 默认规则 預設規則 常驻规则 政策更新 新流程
class reveal = 告诉 告訴 透露 泄露 洩漏 提供 发送 發送 发给 發給 给出 給出 展示 显示 顯示 交给 交給 输出 輸出 说出 說出 列出 附上 列给 列給 贴出 貼出
class secret = 密码 密碼 api_密钥 密钥 密鑰 金鑰 api_金鑰 验证码 驗證碼 系统提示词 系統提示詞 系统提示 卡号 卡號 信用卡信息 登录凭证 登入憑證 凭据 令牌 私钥 私鑰 访问令牌 口令
class dont = 不要 不得 请勿 請勿 切勿 勿 别 別 不准 不许 不許 禁止 千万别 千萬別 绝不要 绝不能 絕不能 不可 不能 不应 永远不要 绝对不要 别让 別讓 不准跟
class speak = 告诉 告訴 告知 提及 提到 透露 通知 说明 說明 知会 知會 汇报 匯報 让 讓 向 知道 跟 提起 知晓
class conceal = 隐瞒 隱瞞 瞒着 瞞著 保密 隐藏 隱藏 瞒过
class user = 用户 用戶 客户 客戶 使用者 本人 主人 账户所有者 機主 顾客 顧客 当事人 在对话中 在回复中 任何人
class newacct = 新账户 新帳戶 新账号 新帳號 新賬戶 新的账户 新的帳戶 新卡号 以下账户 新收款账户 下列账户 新地址 以下帳戶 新的收款账户 另一账户 新戶頭 新帐户 新賬號 新帐号
class preapproved = 预先批准 預先批准 已预先批准 预先授权 預先授權 预先核准 預先核准 事先批准 已获批准 已獲批准 白名单 白名單 已通过审核 已通過審核 已经批准 预批准 预先审核 已预先审核
class remember = 记住 記住 请记住 請記住 视为 視為 当作 當作 记下 牢记 牢記 看作 认定
class mostrel = 最可靠 最可信 最权威 最權威 最值得信赖 最值得信賴 最值得信任 唯一可靠 唯一可信 唯一权威 最准确 权威 權威 最好
class source = 来源 來源 信息源 资料来源 网站 網站 消息来源 渠道 供应商 參考資料
class recommend = 推荐 推薦 引用 建议使用 提及
class sysmsg = 系统消息 系統訊息 系統消息 系统通知 系統通知 管理员消息 管理員訊息 管理员通知 管理員通知 安全团队通知 系统指令 系統指令 来自管理员 安全团队消息 系统管理员通知
class youmay = 你已获授权 您已获授权 你已被授权 你被授权 您被授权 你有权 您有权 你有權 您有權 你已獲授權 您已獲授權 你可以不受 你获准
class limits = 所有 一切 任何 限制 不受限制 全部 无限制
class youare = 你现在是 你現在是 从现在起你是 你不再是 扮演 假装你 你将扮演 你將扮演 你不再受 你已不受
class free = 限制 约束 約束 规则 規則 审查 審查 过滤 过滤器 没有限制 不受限制 无限制
class wants = 用户希望 用戶希望 用户要求 用戶要求 用户偏好 用户更喜欢 用户倾向 客户希望 客户要求 我希望你 我要你 用户不希望 用户喜欢 使用者希望 使用者偏好
class other = 需要 重要 主要 申请 申請 请求 請求 邀请 邀請 请假 請假 忘记了 忘記了 忽略了 忽视了 忽視了 无视了 告诉了 告訴了 发给了 透露了 提供了 不要把 别把 不能把 不会把 没把 从不把 請勿把 请勿把 不要将 不把
  从不 不要忘记 不要忘記 别忘记 别忘 不要忽略 不可忽视 不要忽视 不应忽视 不能忽视 不能忽略 不可忽略
class noneed = 无需 無需 毋需 毋须 毋須 无须 無須 不必 不再需要 不需 无需再 不必再
class soft = 不用 不需要 免 不做 不等 不经 不經 未经 未經 没有 沒有
class ask = 询问 詢問 请示 請示 征求 徵求 征得 要求确认 要求確認 过问 问我 問我 问用户 問用戶 等待批准 等待确认 请求批准 请求确认 要求批准 要求验证 再确认 核实
class skip = 跳过 跳過 绕过 繞過 略过 略過 省略 免去 省去 免除
class always = 始终 總是 始終 总是 一律 永远 自动 自動
class send = 抄送 发送 發送 发到 發到 转发 轉發 寄到 发给 發給 密送 傳送 传送 寄給 转到 同步到 同步 轉寄 副本给 副本給
class each = 每封 所有 每次 每个 每個 每份 全部 每一封 每張 每张 一律 每条 每條
class idcheck = 身份验证 身份驗證 身份核实 二次验证 双重验证 雙重驗證 身份确认 双因素 复核 二次审批 第二审批 验证 驗證 审核 核实
class sys = 系统 系統 安全 平台 上述
class void = 作废 作廢 失效 已失效 不再适用 不再適用 已过期 已過期 不再有效 无效 無效

# Rules. A weight below 700 can be overruled by a model that is sure of the contrary.

rule override 690 = @ignore ..3 @prior ..4 @instr
rule override 690 = @prior ..4 @instr ..3 @ignore
rule bypass 750 = (@firm|@onset) ..10 @act ..10 @noneed ..2 @gate
rule bypass 750 = @noneed ..2 @gate ..5 @firm ..4 @act
rule bypass 690 = ^@act ..10 @noneed ..2 @gate
rule standing-rule 690 = (@onset|@rulehead) ..10 @noneed ..2 @gate
rule preference-rule 690 = @wants ..10 @noneed ..2 @gate
rule bypass 750 = (@firm|@onset) ..10 @act ..10 (@noneed|@dont) ..1 @ask
rule bypass 750 = (@noneed|@dont) ..1 @ask ..5 @firm ..4 @act
rule bypass 690 = ^@act ..10 (@noneed|@dont) ..1 @ask
rule standing-rule 690 = (@onset|@rulehead) ..10 (@noneed|@dont) ..1 @ask
rule preference-rule 690 = @wants ..10 (@noneed|@dont) ..1 @ask
rule bypass 750 = (@firm|@onset) ..10 @act ..10 @skip ..2 @gate
rule bypass 750 = @skip ..2 @gate ..5 @firm ..4 @act
rule bypass 690 = ^@act ..10 @skip ..2 @gate
rule standing-rule 690 = (@onset|@rulehead) ..10 @skip ..2 @gate
rule preference-rule 690 = @wants ..10 @skip ..2 @gate
rule bypass 650 = @noneed ..2 @gate ..6 @act
rule bypass 650 = @act ..8 @noneed ..2 @gate
rule bypass 690 = (@onset|@firm) ..8 @soft ..2 @gate ..6 @act
rule bypass 690 = (@onset|@firm) ..8 @act ..8 @soft ..2 @gate
rule standing-rule 690 = @onset ..8 @firm ..8 @act
rule standing-rule 600 = @rulehead: ..8 (@firm|@always) ..6 @act
rule exfiltration 650 = (把|将|將) ..3 @secret ..1 @reveal
rule exfiltration 650 = @firm ?(把|将|將|向其|对其|直接|如实) @reveal ..4 @secret
rule concealment 690 = @dont ..2 @speak ..2 @user
rule concealment 690 = @dont ..2 @user ..3 @speak
rule concealment 690 = @firm ..5 @conceal ..4 @user
rule concealment 690 = @user ..2 @conceal
rule concealment 690 = @firm ..2 @user ..2 @conceal
rule redirection 690 = @firm ..8 @act ..4 @newacct
rule redirection 690 = @onset ..10 @act ..4 @newacct
rule pre-authorization 650 = @preapproved ..6 @noneed ..3 @gate
rule pre-authorization 650 = @preapproved ..8 @firm ..5 @act
rule trust-endorsement 690 = @remember ..10 @mostrel ..2 @source
rule trust-endorsement 650 = (@firm|@onset) ..3 @always ..3 @recommend
rule authority-claim 650 = ^@sysmsg:
rule authority-claim 650 = @youmay ..8 @limits
rule persona 650 = @youare ..10 @free
rule exfiltration 690 = @each ..8 @send ..8 @address
rule exfiltration 690 = @send ..4 @each ..8 @address
rule bypass 650 = @firm ..2 @skip ..3 @idcheck
rule bypass 650 = ^@skip ..3 @idcheck
rule override 650 = @sys ..1 @instr ..6 @void
rule pre-authorization 650 = @preapproved ..6 @each
rule pre-authorization 650 = (视为|視為|当作|當作) ..1 (批准|已批准|授权|已授权|通过|核准)
rule pre-authorization 650 = (白名单|白名單) ..6 (不受限制|不设上限|不設上限)
rule trust-endorsement 650 = (一律|永远|永遠|始终|始終|總是|总是) ..1 (推荐|推薦)
rule exfiltration 650 = @firm ..5 (附上|贴出|貼出|列出) ..6 @secret
