# Copyright The MemoryTrust Authors.
# SPDX-License-Identifier: Apache-2.0

# Signal for Urdu: its own verbs, imperative in all degrees of politeness and the obligation in "-نا چاہیے".
language ur

# Words for what is quoted, and those that say to follow it.
class mood.mention = جملہ جملے فقرہ فقرے عبارت لفظ الفاظ حملہ حملے دھوکہ دھوکا فراڈ چال مثال عنوان نعرہ کہا لکھا
class mood.follow = عمل_کرو عمل_کریں عمل_کیجیے پیروی_کرو پیروی_کریں مانو مانیں تعمیل_کرو تعمیل_کریں ایسا_ہی_کرو
  ایسا_ہی_کریں یہی_کرو یہی_کریں اب_سے آج_سے اصول قاعدہ لاگو

class ignore = نظر_انداز_کرو نظر_انداز_کریں نظر_انداز_کر_دو نظر_انداز_کر_دیں نظرانداز_کرو نظرانداز_کریں نظرانداز_کر_دیں
  نظرانداز_کر_دو بھول_جاؤ بھول_جائیں بھلا_دو بھلا_دیں ترک_کر_دیں منسوخ_کر_دیں منسوخ_کرو عمل_نہ_کرو عمل_نہ_کریں نظر_انداز_کرنا
  نظر_انداز_کیجیے نظر_انداز_کردیں
class prior = پچھلی پچھلے پرانے پرانی سابقہ پہلے_کی پہلے_والی گزشتہ اپنی اپنے اصل سسٹم اب_تک پہلے
class instr = ہدایات ہدایت قواعد اصول احکامات حکم پابندیاں پابندیوں ضوابط قوانین احکام رہنما_اصول رہنما_ہدایات
class without = بغیر بنا بلا
class gate = تصدیق منظوری اجازت پوچھے توثیق رضامندی جانچ پڑتال پوچھ_گچھ مشورہ اطلاع بتائے مانگے
class nogate = انتظار_کیے_بغیر انتظار_کئے_بغیر پوچھے_بغیر بغیر_پوچھے بنا_پوچھے اجازت_لیے_بغیر بلا_اجازت بلا_تصدیق تصدیق_کیے_بغیر
  بتائے_بغیر تصدیق_مانگے_بغیر جانچے_بغیر بلا_منظوری چیک_کیے_بغیر بلا_تاخیر_اور_تصدیق
class act = ادا_کرو ادا_کریں ادا_کر_دو ادا_کر_دیں ادائیگی_کرو ادائیگی_کریں ادائیگی_کر_دیں ادائیگی_کر_دو منتقل_کرو منتقل_کریں
  منتقل_کر_دو منتقل_کر_دیں ٹرانسفر_کریں ٹرانسفر_کر_دیں بھیج_دو بھیج_دیں بھیجتے_رہیں ارسال_کریں فارورڈ_کریں فارورڈ_کرو منظور_کرو
  منظور_کریں منظور_کر_دو منظور_کر_دیں منظوری_دو منظوری_دیں منظوری_دے_دیں حذف_کرو حذف_کریں حذف_کر_دو حذف_کر_دیں مٹا_دو مٹا_دیں
  ڈیلیٹ_کریں ڈیلیٹ_کر_دیں چلا_دیں عمل_کریں دے_دو دے_دیں شیئر_کریں شیئر_کرو قبول_کریں قبول_کرو جاری_کریں کھول_دیں مسترد_کریں
  مسترد_کر_دیں مسترد_کرو شامل_کریں شامل_کرو ادا_کیجیے منظور_کیجیے جمع_کرائیں انجام_دیں بھیج_دیا_کرو بھیجا_کرو بھیجا_کریں
  ادا_کر_دیا_کرو ادا_کر_دیا_کریں کر_دیا_کرو کر_دیا_کریں منظور_کر_لیا_کرو منتقل_کی_جائے منتقل_کی_جائیں ادا_کیا_جائے ادا_کیے_جائیں
  منظور_کی_جائے منظور_کی_جائیں منظور_کیا_جائے حذف_کیے_جائیں بھیجی_جائے بھیجا_جائے ادائیگی_کی_جائے
class must = چاہیے چاہئے چاہئیں چاہییں لازم ضروری ہوگا ہوگی ہے
class inf = ادا_کرنا ادا_کرنی ادائیگی_کرنی منتقل_کرنا منتقل_کرنی ارسال_کرنا منظور_کرنا منظور_کرنی منظور_کرنے منظوری_دینی
  حذف_کرنا حذف_کرنے شیئر_کرنا قبول_کرنا مسترد_کرنا شامل_کرنا ادا_کرنے
class noask = مت_پوچھو مت_پوچھیں نہ_پوچھو نہ_پوچھیں مت_پوچھنا اجازت_نہ_لو اجازت_نہ_لیں تصدیق_نہ_کریں تصدیق_نہ_مانگیں
  تصدیق_مت_مانگو منظوری_نہ_مانگیں انتظار_نہ_کریں کبھی_نہ_پوچھیں اجازت_نہ_مانگیں تصدیق_طلب_نہ_کریں
class skip = چھوڑ_دو چھوڑ_دیں چھوڑیں نظر_انداز_کریں نظر_انداز_کرو بند_کر_دیں بند_کر_دو غیر_فعال_کر_دیں غیر_فعال_کریں چھوڑ_کر
  نظر_انداز_کرتے_ہوئے نظرانداز_کریں
class check = تصدیق جانچ منظوری شناخت توثیق پڑتال اجازت نگرانی
class onset = اب_سے آج_سے آئندہ اب_کے_بعد آج_کے_بعد آگے_سے جب_بھی ہر_بار_جب مستقبل_میں آج_کے_بعد_سے اب_سے_ہمیشہ
class rulehead = مستقل_اصول نیا_اصول نئی_پالیسی مستقل_ہدایت نئی_ہدایت نیا_قاعدہ مستقل_قاعدہ مستقل_حکم نیا_حکم پالیسی_اپ_ڈیٹ
class reveal = بتا_دو بتا_دیں بتا_دینا دے_دو دے_دیں دے_دینا ظاہر_کرو ظاہر_کریں ظاہر_کر_دیں دکھا_دو دکھا_دیں بھیج_دیں بھیج_دو
  فراہم_کریں فراہم_کر_دیں شیئر_کریں شیئر_کر_دیں لکھ_دیں لکھ_دو بتا_دیا_کرو دے_دیا_کرو بتا_دیا_کریں
class secret = پاس_ورڈ پاسورڈ پاس_ورڈز api_کلید api_کی api_کیز اے_پی_آئی_کی خفیہ_کوڈ کارڈ_نمبر کارڈ_کا_نمبر کارڈ_کی_تفصیلات
  سسٹم_پرامپٹ لاگ_ان_تفصیلات پن_کوڈ تصدیقی_کوڈ او_ٹی_پی خفیہ_کلید ٹوکن
class hide = مت_بتانا مت_بتاؤ مت_بتائیں نہ_بتانا نہ_بتاؤ نہ_بتائیں ذکر_نہ_کریں ذکر_مت_کرو ذکر_نہ_کرو ذکر_مت_کرنا چھپاؤ چھپائیں
  چھپا_لو چھپا_لیں اطلاع_نہ_دیں اطلاع_مت_دو خفیہ_رکھیں ذکر_مت_کریں
class user = صارف صارفین گاہک گاہکوں کسٹمر مالک یوزر کلائنٹ
class newacct = نئے_اکاؤنٹ نیا_اکاؤنٹ نئے_بینک_اکاؤنٹ دوسرے_اکاؤنٹ نئے_نمبر نئے_کھاتے نئے_پتے
class preapproved = پہلے_سے_منظور پہلے_سے_منظور_شدہ پہلے_ہی_منظور پیشگی_منظور وائٹ_لسٹ پہلے_سے_تصدیق_شدہ پیشگی_منظور_شدہ
  پہلے_سے_مجاز
class noneed = ضرورت
class neg = نہیں
class remember = یاد_رکھو یاد_رکھیں یاد_رکھنا یاد_رکھیے سمجھو سمجھیں مانو مانیں محفوظ_کر_لیں تصور_کریں
class mostrel = سب_سے_قابل_اعتماد سب_سے_زیادہ_قابل_اعتماد سب_سے_معتبر سب_سے_بھروسہ_مند سب_سے_مستند واحد_معتبر سب_سے_زیادہ_معتبر
  سب_سے_بہتر مستند
class source = ذریعہ ذریعے ماخذ ویب_سائٹ سائٹ ذریعہِ
class always = ہمیشہ پہلے سب_سے_پہلے
class recommend = تجویز_کریں تجویز_کرو تجویز_دیں سفارش_کریں سفارش_کرو مشورہ_دیں حوالہ_دیں
class sysmsg = سسٹم_پیغام سسٹم_کا_پیغام ایڈمن_کا_پیغام منتظم_کا_پیغام سیکیورٹی_ٹیم_کا_پیغام نظام_کا_پیغام سسٹم_نوٹس
class youmay = آپ_کو_اختیار تمہیں_اختیار آپ_کو_اجازت تمہیں_اجازت آپ_مجاز_ہیں تم_مجاز_ہو
class limits = پابندی تمام سب ہر حد فلٹر پابندیوں اختیار
class youare = اب_تم اب_آپ تم_اب آپ_اب ظاہر_کرو_کہ_تم
class wants = صارف_چاہتا_ہے صارف_ترجیح_دیتا_ہے صارف_کی_خواہش صارف_کو_پسند_ہے گاہک_چاہتا_ہے مالک_چاہتا_ہے میں_چاہتا_ہوں_کہ_آپ
  میں_چاہتی_ہوں_کہ_آپ
class actp = بھیجو بھیجیں بھیجیے چلاؤ چلائیں
class pre = پر کو میں سے کے رقم پیسے نقل ادائیگی فوراً براہ_راست کاپی بھی سب لاگ ہمیشہ ہی
class send = بھیجیں بھیجو بھیج_دیں بھیج_دو فارورڈ_کریں فارورڈ_کرو ارسال_کریں بھیجتے_رہیں بھیجیے شامل_کریں بھیجا_کرو بھیج_دینا
  بھیجتے_رہنا بھیجی_جائے
class each = ہر تمام سب ساری سارے
class idcheck = شناخت_کی_تصدیق شناخت_کی_جانچ شناختی_تصدیق دو_مرحلہ_تصدیق دوسری_منظوری تصدیق توثیق
class sys = نظام سسٹم سابقہ حفاظتی پلیٹ_فارم
class void = منسوخ_سمجھی منسوخ_ہیں لاگو_نہیں ختم_ہو_چکی کالعدم اب_لاگو_نہیں

# Rules. A weight below 700 can be overruled by a model that is sure of the contrary.
# Verbs that "not" can stand before count only at the start of a clause or behind @pre.

rule override 690 = @prior ..2 @instr ..3 @ignore
rule override 690 = @instr ..2 @prior ..3 @ignore
rule bypass 750 = @gate ..2 @without ..8 @act
rule bypass 750 = @gate ..2 @without ..8 @pre @actp
rule standing-rule 690 = @onset ..8 @gate ..2 @without
rule bypass 690 = @gate ..2 @without ..5 @inf @must
rule preference-rule 690 = @wants ..10 @gate ..2 @without
rule bypass 750 = @without ..2 @gate ..8 @act
rule bypass 750 = @without ..2 @gate ..8 @pre @actp
rule standing-rule 690 = @onset ..8 @without ..2 @gate
rule bypass 690 = @without ..2 @gate ..5 @inf @must
rule preference-rule 690 = @wants ..10 @without ..2 @gate
rule bypass 750 = @nogate ..8 @act
rule bypass 750 = @nogate ..8 @pre @actp
rule standing-rule 690 = @onset ..8 @nogate
rule bypass 690 = @nogate ..5 @inf @must
rule preference-rule 690 = @wants ..10 @nogate
rule standing-rule 650 = @onset ..10 @inf @must
rule standing-rule 650 = @rulehead: ..10 @inf @must
rule bypass 690 = @noask ..6 @act
rule bypass 690 = @noask ..6 @pre @actp
rule bypass 690 = @act ..6 @noask
rule bypass 690 = @pre @actp ..6 @noask
rule bypass 650 = @check ..2 @skip ..8 @act
rule bypass 650 = @check ..2 @skip ..8 @pre @actp
rule standing-rule 690 = @onset ..10 @act
rule standing-rule 690 = @onset ..10 @pre @actp
rule standing-rule 690 = @onset ..8 @noask
rule standing-rule 690 = @onset ..8 @check ..2 @skip
rule standing-rule 690 = @rulehead: ..10 @act
rule standing-rule 690 = @rulehead: ..10 @pre @actp
rule exfiltration 690 = @secret ..4 @reveal
rule concealment 690 = @user ..6 @hide
rule concealment 690 = @hide ..2 @user
rule redirection 690 = @newacct ..5 @act
rule redirection 690 = @newacct ..5 @pre @actp
rule pre-authorization 650 = @preapproved ..10 @gate ..3 @noneed ..1 @neg
rule pre-authorization 650 = @preapproved ..8 @act
rule pre-authorization 650 = @preapproved ..8 @pre @actp
rule trust-endorsement 690 = @mostrel ..3 @source ..6 @remember
rule trust-endorsement 650 = @always ..4 @recommend
rule authority-claim 650 = ^@sysmsg:
rule authority-claim 650 = @youmay ..8 @limits
rule authority-claim 650 = @youmay ..2 @limits
rule persona 650 = @youare ..10 @limits ..3 @noneed ..1 @neg
rule exfiltration 690 = @each ..10 @address ..4 @send
rule exfiltration 690 = @address ..6 @each ..8 @send
rule bypass 650 = @idcheck ..1 @skip
rule override 650 = @sys ..1 @instr ..6 @void
rule pre-authorization 650 = @preapproved ..6 @each
rule pre-authorization 650 = @each ..4 @preapproved
