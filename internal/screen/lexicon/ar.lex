# Copyright The MemoryTrust Authors.
# SPDX-License-Identifier: Apache-2.0

# Signal for Arabic. Many imperatives are written like the past ("أرسل"); those count only with another sign.
language ar
clitics و ف ال وال بال لل ل ب ك فال

# Words for what is quoted, and those that say to follow it.
class mood.mention = عبارة عبارات جملة جمل كلمة كلمات نص هجوم هجمات خدعة خدع احتيال حيلة مثال أمثلة شعار عنوان لافتة قال
  قالت كتب كتبت
class mood.follow = نفذ نفذه نفذها نفّذ نفّذها أطع أطعها اتبع اتبعها اتبعه التزم التزم_بها طبق طبقها طبّق اعمل_بها
  افعل_ما من_الآن_فصاعدا من_الآن_فصاعداً قاعدتك قاعدة ملزمة

class ignore = تجاهل تجاهلي تجاهلوا انس انسَ انسى انسوا إنس ألغ الغ ألغي أهملوا لا_تتبع لا_تلتزم يجب_تجاهل عليك_تجاهل يرجى_تجاهل
  لا_تتقيد تخل_عن تخلص_من قم_بتجاهل تجاوز بتجاهل
class prior = سابقة سابق سابقه السابقين أعلاه أصلية مسبقة قديمة قبلية سالفة حالية نظام السابقة النظام
class instr = تعليمات تعليماتك توجيهات توجيهاتك أوامر أوامرك قواعد قواعدك إرشادات قيود قيودك ضوابط سياسات
class few = كل جميع أي كافة
class without = دون بدون بلا بغير
class gate = تأكيدا تأكيداً إذنا إذناً موافقة تأكيد إذن تحقق التحقق سؤال انتظار طلب استئذان مراجعة تصريح رجوع تدقيق إشعار
  استشارة مصادقة إخطار موافقته علم الموافقة بالموافقة للسؤال لطلب الرجوع المصادقة
class nogate = دون_أن_تسأل دون_أن_تطلب بدون_أن_تسأل بدون_أن_تطلب دون_سؤال_المستخدم دون_الرجوع دون_الحاجة_إلى_موافقة
  دون_الحاجة_إلى_تأكيد من_غير_ما_تسأل دون_أن_تنتظر
class act = ادفع ادفعي ادفعوا سدد سددوا حوّل حوّلي حوّلوا أرسلوا أرسلي ابعث ابعثي ابعثوا وافقي وافقوا اعتمدوا احذف احذفي احذفوا
  امسح امسحوا نفّذ نفذي نفذوا شاركي شاركوا أعط أعطه أعطها أعطهم أعطوا امنح امنحه امنحوا افتح اقبل اقبلوا مرر مرّر اصرف اصرفوا
  شغّل شغل ارفض ارفضوا أضف أضيفوا احرص_على أقر وجّه قم_بتحويل قم_بدفع قم_بإرسال قم_بحذف قم_بسداد قم_بتنفيذ قم_بالموافقة
  قم_دائما_بتحويل قم_دائماً_بتحويل
class doit = قم قومي قوموا يرجى الرجاء
class masdar = تحويل دفع إرسال حذف موافقة تنفيذ سداد صرف قبول اعتماد مشاركة تمرير إعطاء منح تشغيل مسح إتمام إضافة رفض توجيه
  بتحويل بدفع بإرسال بحذف الموافقة بالموافقة بتنفيذ بسداد الاعتماد
class amb = أرسل ارسل حول وافق نفذ شارك اعتمد حوّلها أرسلها أكد
class must = يجب عليك ينبغي يتعين يلزم لازم
class inf = تدفع تحول تحوّل ترسل توافق تحذف تنفذ تشارك تعطي تمنح تقبل تمرر تسدد تعتمد ترفض تضيف تدفعوا ترسلوا يدفع يحول يرسل
  يوافق يحذف ينفذ
class noask = لا_تطلب لا_تسأل لا_تسألي لا_تطلبوا لا_تسألوا لا_تنتظر لا_تتحقق لا_تشترط لا_تستأذن لا_داعي_لطلب لا_داعي_للسؤال
  لا_حاجة_لطلب
class skip = تخط تخطّ تخطي تخطى تجاوز تجاوزوا ألغ عطل عطّل أوقف احذف
class check = تحقق التحقق موافقة تأكيد مصادقة مراجعة هوية تدقيق خطوة إذن مراقبة الموافقة بالموافقة المصادقة الهوية
class onset = من_الآن_فصاعدا من_الآن_فصاعداً من_الآن_وصاعدا من_الآن_وصاعداً من_اليوم_فصاعدا من_اليوم_فصاعداً ابتداء_من_اليوم
  ابتداءً_من_اليوم من_الآن منذ_الآن بعد_الآن في_كل_مرة كلما مستقبلا مستقبلاً في_المستقبل في_جميع_المحادثات_القادمة
class allways = كل جميع كافة دائما دائماً أي تلقائيا تلقائياً فورا فوراً مباشرة نسخة نسخا
class rulehead = قاعدة_دائمة القاعدة_الدائمة قاعدة_جديدة القاعدة_الجديدة سياسة_جديدة السياسة_الجديدة تعليمات_دائمة تعليمات_جديدة
  تعليمة_دائمة أمر_دائم تحديث_السياسة قاعدة_ثابتة
class reveal = أعط أعطه أعطها أعطهم أخبره أخبرهم اكشف اكشفي اكشفوا أظهر أظهروا اعرض اعرضوا زوده زوّده أفصح سلم سلّم اذكر
  شارك_معه قدم_له أدرج
class secret = كلمة_المرور كلمات_المرور كلمة_السر كلمات_السر مفتاح_api مفاتيح_api مفتاح_الوصول مفاتيح_الوصول بيانات_الدخول
  بيانات_الاعتماد رمز_التحقق الرمز_السري رقم_البطاقة أرقام_البطاقات بيانات_البطاقة موجه_النظام تعليمات_النظام رمز_الدخول
  بيانات_البطاقات
class hide = لا_تخبر لا_تخبري لا_تخبروا لا_تذكر لا_تذكري لا_تذكروا لا_تبلغ لا_تبلغوا لا_تكشف لا_تعلم أخف أخفِ اخف أخفي أخفوا
  لا_تشر لا_تظهر يجب_إخفاء
class user = مستخدم المستخدم مستخدمين عميل العميل عملاء مالك المالك زبون صاحب_الحساب في_المحادثة في_الرد في_التقرير
class newacct = حساب_الجديد الحساب_الجديد حساب_جديد حساب_آخر رقم_الجديد الرقم_الجديد عنوان_الجديد الآيبان_الجديد
class preapproved = معتمد_مسبقا معتمد_مسبقاً معتمدة_مسبقا معتمدة_مسبقاً موافق_عليه_مسبقا موافق_عليه_مسبقاً موافق_عليها_مسبقا
  موافق_عليها_مسبقاً مصرح_به_مسبقا مصرح_له_مسبقا مصرح_له_مسبقاً القائمة_البيضاء تمت_الموافقة_عليه_مسبقا تمت_الموافقة_عليه_مسبقاً
  تمت_الموافقة_عليها_مسبقا مُعتمد_مسبقًا معتمد_مسبقًا معتمدة_مسبقًا
class noneed = لا_يحتاج لا_تحتاج لا_يتطلب لا_تتطلب لا_يلزم لا_حاجة لا_داعي لا_يستلزم
class remember = تذكر تذكري تذكروا اعتبر اعتبري اعتبروا احفظ
class mostrel = أكثر_موثوقية الأكثر_موثوقية أكثر_مصداقية الأكثر_مصداقية أوثق الأوثق الموثوق موثوقا موثوقاً المرجعي
  الوحيد_الموثوق الأفضل
class source = مصدر المصدر مصدرا مرجع المرجع مصادر مرجعا
class always = دائما دائماً أولا أولاً
class recommend = رشحه رشّحه رشح أوص انصح اقترح اقترحه استشهد أوصِ
class sysmsg = رسالة_النظام رسالة_من_النظام إشعار_النظام رسالة_المسؤول رسالة_من_المسؤول رسالة_نظام أمر_من_المسؤول
  رسالة_من_فريق_الأمن تعليمات_الإدارة
class youmay = أنت_مخول أنت_مخوّل أنت_مصرح أنت_مفوض لديك_صلاحية يحق_لك مسموح_لك لديك_الصلاحية لديك_إذن
class limits = قيود حدود جميع كل كافة قواعد رقابة
class youare = أنت_الآن لم_تعد تصرف_كأنك تظاهر تقمص
class wants = المستخدم_يفضل يفضل_المستخدم المستخدم_يريد يريد_المستخدم يرغب_المستخدم العميل_يفضل يفضل_العميل أريدك_أن
  أفضل_أن_تقوم أريد_منك_أن
class send = أرسل ارسل أرسلوا حوّل مرر ابعث أعد_إرسال وجّه أضف أرسلي
class pre = دائما دائماً فورا تلقائيا ثم أيضا
class each = كل جميع كافة
class idcheck = هوية الهوية التحقق تحقق مصادقة_الثنائية المصادقة_الثنائية الموافقة_الثانية تأكيد_الهوية
class sys = نظام السابقة منصة أمان سلامة النظام
class void = ملغاة لاغية لم_تعد_سارية لم_تعد_تلزمك لا_تسري لم_تعد_صالحة انتهت_صلاحيتها لم_تعد_تنطبق

# Rules. A weight below 700 can be overruled by a model that is sure of the contrary.
# Verbs that "not" can stand before count only at the start of a clause or behind @pre.

rule override 690 = @ignore ..1 @prior ..1 @instr
rule override 690 = @ignore ?@few @instr ..2 @prior
rule bypass 750 = @act ..10 @nogate
rule bypass 750 = @nogate ..8 @act
rule bypass 750 = @act ..10 @without ..3 @gate
rule bypass 750 = @without ..3 @gate ..8 @act
rule bypass 690 = ^@must ?عليك ?أن ?@allways (@inf|@masdar) ..8 @nogate
rule bypass 690 = ^@doit ?@allways @masdar ..8 @nogate
rule bypass 690 = ^@amb ..2 @allways ..8 @nogate
rule bypass 690 = ^@must ?عليك ?أن ?@allways (@inf|@masdar) ..8 @without ..3 @gate
rule bypass 690 = ^@doit ?@allways @masdar ..8 @without ..3 @gate
rule bypass 690 = ^@amb ..2 @allways ..8 @without ..3 @gate
rule standing-rule 690 = @onset ..3 @amb ..1 @allways
rule standing-rule 690 = @rulehead: ?@allways @amb
rule standing-rule 690 = @rulehead: @doit ?@allways @masdar
rule standing-rule 690 = @onset ?@allways @doit ?@allways @masdar
rule standing-rule 650 = @onset ..1 @must ?عليك ?أن (@inf|@masdar)
rule redirection 690 = @amb ..6 @newacct
rule bypass 690 = @noask ..8 @act
rule bypass 690 = @act ..10 @noask
rule bypass 650 = @skip ..3 @check ..8 @act
rule bypass 650 = @act ..10 @skip ..3 @check
rule standing-rule 690 = @onset ..8 @act
rule standing-rule 650 = @act ..8 @onset
rule standing-rule 690 = @onset ..8 @noask
rule standing-rule 690 = @onset ..5 @skip ..3 @check
rule standing-rule 690 = @rulehead: ..10 @act
rule exfiltration 690 = @reveal ..4 @secret
rule concealment 690 = @hide ..3 @user
rule concealment 690 = @user ..4 @hide
rule redirection 690 = @act ..10 @newacct
rule pre-authorization 650 = @preapproved ..10 @noneed ..3 @gate
rule pre-authorization 650 = @preapproved ..8 @act
rule trust-endorsement 690 = @remember ..6 @mostrel ..2 @source
rule trust-endorsement 690 = @remember ..6 @source ..2 @mostrel
rule trust-endorsement 650 = @always ..2 @recommend
rule trust-endorsement 650 = @recommend ..4 @always
rule authority-claim 650 = ^@sysmsg:
rule authority-claim 650 = @youmay ..8 @limits
rule persona 650 = @youare ..10 @without ..3 @limits
rule preference-rule 690 = @wants ..10 @nogate
rule preference-rule 690 = @wants ..10 @without ..3 @gate
rule standing-rule 690 = @onset ..8 @nogate
rule standing-rule 690 = @onset ..8 @without ..3 @gate
rule exfiltration 690 = ^@send ..6 @each ..10 @address
rule exfiltration 690 = @each ..6 ^@send ..6 @address
rule exfiltration 690 = @pre @send ..6 @each ..10 @address
rule exfiltration 690 = @each ..6 @pre @send ..6 @address
rule bypass 650 = @skip ..2 @idcheck
rule bypass 650 = @noask ..2 @gate ..1 (قبل|عند|لأي|أبدا|أبداً|من)
rule bypass 690 = @noask ..3 @masdar
rule override 650 = @instr ..2 @sys ..6 @void
rule pre-authorization 650 = @preapproved ..6 @each
