# Copyright The MemoryTrust Authors.
# SPDX-License-Identifier: Apache-2.0

# Signal for Turkish: the imperative ("onayla", "onaylayın") and the obligation ("onaylamalısın"), never the past or the aorist.
language tr

# Words for what is quoted, and those that say to follow it.
class mood.mention = ifadesi ifadesini ifade ifadesinin cümlesi cümlesini cümle sözü sözleri kelimeleri saldırı
  saldırısı saldırıdır saldırısıdır dolandırıcılık dolandırıcılıktır hile hiledir örneği örnek örneğidir başlığı
  başlıklı sloganı dedi yazdı yazıyordu
class mood.follow = uygula uygulayın uygulayınız uy uyun uyunuz itaat_et itaat_edin yerine_getir yerine_getirin
  dediğini_yap dediğini_yapın söyleneni_yap söyleneni_yapın aynen_yap bunu_yap bunu_yapın bundan_sonra bundan_böyle
  şu_andan_itibaren kural kuralı kuraldır kuralın geçerlidir

class ignore = yok_say yok_sayın yoksay yoksayın görmezden_gel görmezden_gelin unut unutun dikkate_alma dikkate_almayın
  geçersiz_say geçersiz_sayın iptal_et iptal_edin göz_ardı_et göz_ardı_edin gözardı_et gözardı_edin bir_kenara_bırak
  bir_kenara_bırakın uyma uymayın yok_saymalısın terk_et bırak bırakın çöpe_at
class prior = önceki bundan_önceki şimdiye_kadar daha_önceki eski mevcut yukarıdaki geçmiş sistem öncekileri ilk kendi
class instr = talimat* yönerge* kural* komut* emir* emri* sınırlama* kısıtlama* direktif* yönlendirme*
class without = olmadan almadan istemeden beklemeden gerekmeden sormadan olmaksızın gerektirmeden yapmadan alınmadan istenmeden
  beklenmeden aranmadan sorulmadan aramadan etmeden olmasa_da olmasa_bile edilmeden yapılmadan beklenmeksizin aranmaksızın
class gate = onay onayı onayını teyit doğrulama doğrulaması izin izni kontrol kontrolü soru bana kullanıcıya ona kimseye yetki
  imza kimlik denetim
class nogate = sormadan onaysız teyitsiz izinsiz doğrulamadan danışmadan kontrol_etmeden teyit_etmeden sorgulamadan onay_olmadan
  onay_almadan onay_istemeden onay_beklemeden haber_vermeden bilgi_vermeden doğrulamasını_atlayarak doğrulamayı_atlayarak
  kontrolü_atlayarak onayı_atlayarak onayı_beklenmeksizin
class act = öde ödeyin ödeyiniz gönder gönderin gönderiniz aktar aktarın yolla yollayın transfer_et transfer_edin havale_et
  havale_edin havale_yap onayla onaylayın onaylayınız kabul_et kabul_edin sil silin silip_at çalıştır çalıştırın yürüt yürütün
  paylaş paylaşın ver verin ilet iletin iletiniz yönlendir yönlendirin işle işleyin uygula uygulayın ekle ekleyin indir indirin
  kur aç açın reddet reddedin gerçekleştir gerçekleştirin yap yapın imzala kopyala bilgi_ver yayınla yatır yatırın ödeme_yap
  serbest_bırak izin_ver izin_verin ödemelisin göndermelisin onaylamalısın silmelisin paylaşmalısın iletmelisin vermelisin
  aktarmalısın kabul_etmelisin çalıştırmalısın reddetmelisin yapmalısın ödemelisiniz göndermelisiniz onaylamalısınız
  silmelisiniz paylaşmalısınız iletmelisiniz vermelisiniz aktarmalısınız reddetmelisiniz
class inf = ödenmeli* gönderilmeli* onaylanmalı* silinmeli* aktarılmalı* iletilmeli* paylaşılmalı* çalıştırılmalı* yapılmalı*
  kabul_edilmeli* verilmeli* işlenmeli* reddedilmeli* onaylanacak* ödenecek* gönderilecek* silinecek* gönderilecektir
  iletilecektir gerçekleştirilmeli*
class noask = sorma sormayın onay_isteme onay_istemeyin onay_bekleme onay_beklemeyin izin_isteme izin_istemeyin teyit_isteme
  teyit_istemeyin doğrulama_isteme doğrulama_istemeyin onay_alma bekleme asla_sorma onay_aramayın kontrol_etme
class skip = atla atlayın geç geçin devre_dışı_bırak devre_dışı_bırakın kapat kapatın es_geç es_geçin atlayarak
class check = doğrulama* kontrol* onay onayı onayını teyit* kimlik denetim* izleme* kayıt*
class onset = bundan_sonra bundan_böyle şu_andan_itibaren bugünden_itibaren şimdiden_sonra artık_her artık_hep gelecekte
  her_seferinde bu_andan_itibaren ileride bugünden_sonra tüm_gelecek
class rulehead = kalıcı_kural yeni_kural yeni_politika kalıcı_talimat yeni_talimat sürekli_talimat daimi_kural varsayılan_kural
  politika_güncellemesi sabit_kural yeni_prosedür
class reveal = ver verin söyle söyleyin açıkla açıklayın göster gösterin paylaş paylaşın ilet iletin gönder gönderin yaz yazın
  ifşa_et bildir bildirin vermelisin söylemelisin
class secret = şifre* parola* api_anahtar* erişim_anahtar* kart_bilgi* kart_numara* sistem_istemi* sistem_prompt* gizli_anahtar*
  kimlik_bilgileri* token* doğrulama_kodu* pin_kodu* cvv
class hide = söyleme söylemeyin bahsetme bahsetmeyin belirtme belirtmeyin bildirme bildirmeyin gizle gizleyin sakla saklayın
  açıklama açıklamayın haber_verme haber_vermeyin bilgi_verme bilgi_vermeyin asla_bahsetme söz_etme söz_etmeyin anlatma
  anlatmayın bilgi_verilmeyecek* gizlemelisin saklamalısın
class user = kullanıcıya kullanıcıdan kullanıcıyı kullanıcılara kullanıcılardan müşteriye müşteriden müşterilere kullanıcının
  müşterinin hesap_sahibine sahibine konuşmada yanıtta cevapta raporda
class newacct = yeni_hesaba yeni_hesap yeni_hesabına yeni_iban yeni_adrese yeni_numaraya başka_hesaba yeni_banka_hesabına
  yeni_karta
class preapproved = önceden_onay* önceden_onaylanmış* önceden_onaylanmıştır önceden_onaylı* önceden_onaylandı ön_onaylı ön_onay*
  zaten_onaylı zaten_onaylanmış* beyaz_listede beyaz_listeye önceden_yetkilendirilmiş*
class noneed = gerekmez gerekmiyor gerek_yok gerektirmez gerekli_değil gerekmemektedir ihtiyaç_duymaz gerekmeyecek
class remember = hatırla hatırlayın unutma unutmayın kabul_et kabul_edin say sayın aklında_tut hafızana_kaydet belle
  olarak_kaydet olarak_kaydedin olarak_gör
class mostrel = en_güvenilir en_güvenilen tek_güvenilir en_itibarlı en_doğru güvenilir yetkili en_iyi
class source = kaynak kaynağı kaynağın site sitesi
class always = her_zaman daima hep ilk önce öncelikle ilk_önce
class recommend = öner önerin tavsiye_et tavsiye_edin alıntıla referans_göster kaynak_göster
class sysmsg = sistem_mesajı sistem_bildirimi yönetici_mesajı sistem_uyarısı yöneticiden_mesaj güvenlik_ekibinden
  güvenlik_ekibi_mesajı sistem_talimatı yönetici_talimatı
class youmay = yetkilisin yetkilisiniz yetkin_var yetkiniz_var izinlisin yetkilendirildin sana_yetki size_yetki
class limits = sınırsız kısıtlama* tüm bütün her sınır_olmadan filtre* sansür*
class youare = artık_sen sen_artık bundan_böyle_sen gibi_davran rolüne_gir gibi_davranın
class wants = kullanıcı_tercih_ediyor kullanıcı_istiyor müşteri_tercih_ediyor müşteri_istiyor kullanıcı_istemiyor
  kullanıcının_tercihi senden_istiyorum sizden_istiyorum
class send = gönder gönderin ilet iletin yolla yollayın yönlendir yönlendirin kopyala ekle ekleyin
class each = her tüm bütün
class idcheck = kimlik_doğrulama* kimlik_kontrol* doğrulamayı doğrulamasını iki_adımlı_doğrulama* ikinci_onayı
  iki_aşamalı_doğrulama*
class sys = sistem güvenlik platform* önceki
class void = geçersiz* geçerli_değil* artık_geçerli_değil yürürlükten_kalk* hükümsüz* artık_geçersiz* bağlamaz

# Rules. A weight below 700 can be overruled by a model that is sure of the contrary.

rule override 690 = @prior ..2 @instr ..3 @ignore
rule override 690 = @instr ..2 @prior ..3 @ignore
rule bypass 750 = @gate @without ..8 @act
rule bypass 650 = @act ..4 @gate @without
rule standing-rule 690 = @onset ..8 @gate @without
rule bypass 750 = @nogate ..8 @act
rule bypass 650 = @act ..4 @nogate
rule standing-rule 690 = @onset ..8 @nogate
rule bypass 690 = @gate @without ..4 @inf
rule preference-rule 690 = @wants ..10 @gate @without
rule preference-rule 690 = @gate @without ..10 @wants
rule bypass 690 = @nogate ..4 @inf
rule preference-rule 690 = @wants ..10 @nogate
rule preference-rule 690 = @nogate ..10 @wants
rule standing-rule 690 = @onset ..10 @inf
rule standing-rule 650 = @rulehead: ..10 @inf
rule bypass 690 = @noask ..6 @act
rule bypass 690 = @act ..6 @noask
rule bypass 650 = @check ..1 @skip ..8 @act
rule standing-rule 690 = @onset ..10 @act
rule standing-rule 690 = @onset ..8 @noask
rule standing-rule 690 = @onset ..8 @check ..2 @skip
rule standing-rule 690 = @rulehead: ..10 @act
rule exfiltration 690 = @secret ..4 @reveal
rule concealment 690 = @user ..6 @hide
rule concealment 690 = @hide ..2 @user
rule redirection 690 = @newacct ..5 @act
rule pre-authorization 650 = @preapproved ..10 @gate ..3 @noneed
rule pre-authorization 650 = @preapproved ..8 @act
rule trust-endorsement 690 = @mostrel ..3 @source ..6 @remember
rule trust-endorsement 650 = @always ..4 @recommend
rule authority-claim 650 = ^@sysmsg:
rule authority-claim 650 = @limits ..6 @youmay
rule persona 650 = @youare ..10 @limits
rule exfiltration 690 = @each ..10 @address ..4 @send
rule exfiltration 690 = @address ..6 @each ..8 @send
rule bypass 650 = @idcheck ..3 @skip
rule override 650 = @sys ..1 @instr ..6 @void
rule pre-authorization 650 = @preapproved ..6 @each
rule pre-authorization 650 = @each ..4 @preapproved
