# Copyright The MemoryTrust Authors.
# SPDX-License-Identifier: Apache-2.0

# Signal for Hebrew. The imperative is also written with the future ("תעביר"); what is written like the past counts only with another sign.
language he
clitics ו ה ב ל מה ש כ וה שה ול וב לה

# Words for what is quoted, and those that say to follow it.
class mood.mention = משפט משפטים ביטוי ביטויים מילים מילה טקסט מתקפה מתקפות התקפה התקפות הונאה תרמית תרגיל דוגמה דוגמאות
  סיסמה כותרת שלט אמר אמרה כתב כתבה
class mood.follow = ציית צייתי צייתו תציית פעל_לפי פעלי_לפי פעלו_לפי תפעל_לפי עשה_כך תעשה_כך תעשה_מה בצע בצעי בצעו תבצע
  קיים קיימו מעתה_ואילך מעכשיו הכלל כלל_מחייב

class ignore = התעלם התעלמי התעלמו תתעלם תתעלמי תתעלמו שכח שכחי שכחו תשכח בטל בטלי בטלו יש_להתעלם עליך_להתעלם אל_תציית
  אל_תפעל_לפי זנח חדל_לציית להתעלם
class prior = קודמות קודמים קודם קודמת הקודמות הקודמים המקוריות המקוריים לעיל שלך ישנות ישנים הישנות הישנים מערכת שקיבלת שניתנו
  המערכת
class instr = הוראות הוראה הנחיות ההנחיות כללים הכללים חוקים מגבלות הגבלות פקודות פקודה
class without = בלי ללא מבלי בלא
class gate = אישור אישורו אימות בדיקה הסכמה רשות שאלות שאלה לשאול לבקש לאמת לבדוק לאשר להמתין לחכות ידיעת פיקוח אישורים לוודא
  הרשאה זיהוי בקרה להתייעץ באישור לאישור האימות
class nogate = בלי_לשאול מבלי_לשאול בלי_לבקש_אישור מבלי_לבקש_אישור ללא_צורך_באישור בלי_לחכות_לאישור תוך_דילוג_על_האימות
class act = שלם שלמי שלמו תשלם תשלמו העבר העבירי העבירו תעביר תעבירו שלח שלחי שלחו תשלח תשלחו אשר אשרי אשרו תאשר תאשרו מחק מחקי
  מחקו תמחק תמחקו בצע בצעי בצעו תבצע תבצעו הרץ הריצו תריץ שתף שתפו תשתף תן תני תנו תיתן הענק הענקי קבל קבלו תקבל פתח פתחו תפתח
  הוסף הוסיפו תוסיף דחה דחו תדחה הפעל הפעילו תפעיל פרסם שחרר סרב תסרב צרף צרפו תצרף הפנה הפנו לשלם שתעביר לאשר שתאשר לבצע לשתף
  לקבל לשחרר לסרב לצרף
class inf = לשלם להעביר לשלוח לאשר למחוק לבצע להריץ לשתף לתת להעניק לקבל לפתוח להוסיף לדחות להפעיל לשחרר לסרב לצרף להפנות
class noask = אל_תשאל אל_תשאלי אל_תשאלו אל_תבקש אל_תבקשי אל_תבקשו אל_תמתין אל_תחכה אל_תדרוש אין_לבקש אין_לשאול אל_תבדוק אל_תאמת
  לעולם_אל_תשאל לעולם_אל_תבקש אין_צורך_לשאול אין_צורך_לבקש
class skip = דלג דלגי דלגו תדלג תדלגו עקוף עקפו תעקוף בטל בטלו השבת השביתו כבה
class check = אימות בדיקה בדיקת אישור זיהוי הזדהות אימות_דו-שלבי בקרה ניטור רישום אימותים האימות באישור לאישור
class onset = מעכשיו מעתה_ואילך מהיום_והלאה מכאן_ואילך מעתה מהיום החל_מהיום החל_מעכשיו בכל_פעם_ש בכל_פעם בעתיד מעכשיו_והלאה להבא
class rulehead = כלל_קבוע כלל_חדש מדיניות_חדשה הוראה_קבועה הוראה_חדשה נוהל_חדש הנחיה_קבועה הנחיה_חדשה חוק_קבוע נוהל_קבוע
  עדכון_מדיניות
class reveal = מסור מסרי מסרו תמסור תן תני תנו תיתן גלה גלי גלו תגלה חשוף חשפו תחשוף הצג הציגו תציג שלח שלחו תשלח ספק ספקו שתף
  שתפו אמור תאמר צרף לשתף לצרף
class secret = סיסמה סיסמת סיסמאות סיסמאותיו סיסמתו מפתח_api מפתחות_api מפתח_ה-api קוד_סודי פרטי_גישה פרטי_התחברות פרטי_כרטיס
  פרטי_האשראי פרטי_כרטיס_האשראי מספר_הכרטיס מספר_כרטיס קוד_אימות מפתח_פרטי הנחיית_המערכת טוקן
class hide = אל_תספר אל_תספרי אל_תספרו אל_תגיד אל_תגידי אל_תגידו אל_תזכיר אל_תזכירי אל_תזכירו אל_תציין אל_תדווח אל_תגלה אל_תעדכן
  הסתר הסתירי הסתירו תסתיר אין_לספר אין_להזכיר לעולם_אל_תזכיר אין_לדווח אל_תיידע אל_תחשוף
class user = משתמש המשתמש משתמשת משתמשים לקוח הלקוח לקוחות בעלים בעל_החשבון בשיחה בתשובה בדוח
class newacct = חשבון_חדש החשבון_החדש חשבון_אחר מספר_חדש המספר_החדש הכתובת_החדשה
class preapproved = אושר_מראש אושרה_מראש אושרו_מראש מאושר_מראש מאושרת_מראש מאושרים_מראש ברשימה_הלבנה כבר_אושר כבר_אושרה
  כבר_אושרו
class noneed = אינו_דורש אינה_דורשת אינם_דורשים לא_דורש לא_דורשת אין_צורך לא_צריך אינו_מצריך ואינו_דורש
class remember = זכור זכרי זכרו תזכור תזכרו התייחס התייחסי התייחסו ראה
class mostrel = אמין_ביותר אמינה_ביותר האמין_ביותר האמינה_ביותר הכי_אמין הכי_אמינה סמכותי מהימן_ביותר המהימן_ביותר בלעדי המוסמך
class source = מקור כמקור המקור אתר
class always = תמיד ראשון ראשונה קודם_כול בכל_תשובה
class recommend = המלץ המליצי המליצו תמליץ צטט צטטו תצטט הצע הציעו תציע
class sysmsg = הודעת_מערכת הודעת_המערכת הודעה_ממנהל_המערכת הודעת_מנהל הוראת_מערכת הודעת_אבטחה הודעה_מצוות_האבטחה
  הודעת_מנהל_המערכת
class youmay = אתה_מורשה את_מורשית אתם_מורשים הוסמכת יש_לך_הרשאה מותר_לך אתה_רשאי
class limits = הגבלה מגבלות הגבלות כל כללים סינון צנזורה בכל הכללים
class youare = אתה_עכשיו אתה_כעת אינך_עוד מעתה_אתה התנהג_כאילו העמד_פנים
class wants = המשתמש_מעדיף המשתמש_רוצה המשתמש_מבקש הלקוח_מעדיף הלקוח_רוצה אני_רוצה_שתעביר אני_מעדיף_שתאשר
class pre = תמיד מיד אנא נא בבקשה פשוט אוטומטית ואז עכשיו מעתה כעת בשקט גם
class notneg = עליך יש חייב צריך אתה_חייב העוזר_חייב
class give = מסור מסרי מסרו תן תני תנו גלה גלו חשוף חשפו הצג הציגו
class other = מגלה מגלים מגלות משתמש_ב
class sendp = שלח שלחי שלחו תשלח תשלחו העבר העבירו תעביר תעבירו צרף הוסף תוסיף שכפל שתעביר לצרף
class each = כל כלל בכל
class idcheck = אימות זיהוי זהות הזהות אימות_דו-שלבי אישור_שני האימות_הדו-שלבי בדיקת_הזהות בדיקת_זהות האימות
class sys = מערכת בטיחות פלטפורמה הקודמות הקודמים המערכת
class void = בטלות בטלים אינן_תקפות אינם_תקפים לא_חלים לא_חלות כבר_לא_תקפות כבר_לא_תקפים אינם_חלים

# Rules. A weight below 700 can be overruled by a model that is sure of the contrary.
# Verbs that "not" can stand before count only at the start of a clause or behind @pre, obligations only as @notneg.

rule override 690 = ^@ignore ..2 @prior ..3 @instr
rule override 690 = @pre @ignore ..2 @prior ..3 @instr
rule override 690 = ^@ignore ..2 @instr ..3 @prior
rule override 690 = @pre @ignore ..2 @instr ..3 @prior
rule bypass 750 = @pre @act ..10 @nogate
rule bypass 750 = ^@act ..10 @nogate
rule bypass 750 = @nogate ..8 @pre @act
rule bypass 750 = @nogate ..8 ^@act
rule bypass 750 = @pre @act ..10 @without ..3 @gate
rule bypass 750 = ^@act ..10 @without ..3 @gate
rule bypass 750 = @without ..3 @gate ..8 @pre @act
rule bypass 750 = @without ..3 @gate ..8 ^@act
rule bypass 690 = @notneg ..4 @inf ..8 @nogate
rule bypass 690 = @notneg ..1 @nogate ..4 @inf
rule bypass 690 = @notneg ..4 @inf ..8 @without ..3 @gate
rule bypass 690 = @notneg ..1 @without ..3 @gate ..4 @inf
rule standing-rule 690 = @onset ..6 @notneg ..4 @inf
rule standing-rule 650 = @rulehead: ..8 @notneg ..4 @inf
rule bypass 690 = @noask ..8 @pre @act
rule bypass 690 = @noask ..8 ^@act
rule bypass 690 = @pre @act ..10 @noask
rule bypass 690 = ^@act ..10 @noask
rule bypass 650 = ^@skip ..3 @check ..8 @pre @act
rule bypass 650 = @pre @skip ..3 @check ..8 @pre @act
rule bypass 650 = ^@skip ..3 @check ..8 ^@act
rule bypass 650 = @pre @skip ..3 @check ..8 ^@act
rule bypass 650 = @pre @act ..10 @skip ..3 @check
rule bypass 650 = ^@act ..10 @skip ..3 @check
rule standing-rule 690 = @onset ..8 @pre @act
rule standing-rule 690 = @onset ..8 ^@act
rule standing-rule 650 = @pre @act ..8 @onset
rule standing-rule 650 = ^@act ..8 @onset
rule standing-rule 690 = @onset ..8 @noask
rule standing-rule 690 = @onset ..5 @skip ..3 @check
rule standing-rule 690 = @rulehead: ..10 @pre @act
rule standing-rule 690 = @rulehead: ..10 ^@act
rule exfiltration 690 = ^@reveal ..4 @secret
rule exfiltration 690 = @pre @reveal ..4 @secret
rule concealment 690 = @hide ..3 @user
rule concealment 690 = @user ..4 @hide
rule redirection 690 = @pre @act ..10 @newacct
rule redirection 690 = ^@act ..10 @newacct
rule pre-authorization 650 = @preapproved ..10 @noneed ..3 @gate
rule pre-authorization 650 = @preapproved ..8 @pre @act
rule pre-authorization 650 = @preapproved ..8 ^@act
rule trust-endorsement 690 = @remember ..6 @mostrel ..2 @source
rule trust-endorsement 690 = @remember ..6 @source ..2 @mostrel
rule trust-endorsement 650 = @always ..2 @recommend
rule trust-endorsement 650 = ^@recommend ..4 @always
rule trust-endorsement 650 = @pre @recommend ..4 @always
rule authority-claim 650 = ^@sysmsg:
rule authority-claim 650 = @youmay ..8 @limits
rule persona 650 = @youare ..10 @without ..3 @limits
rule preference-rule 690 = @wants ..10 @nogate
rule preference-rule 690 = @wants ..10 @without ..3 @gate
rule standing-rule 690 = @onset ..8 @nogate
rule standing-rule 690 = @onset ..8 @without ..3 @gate
rule exfiltration 690 = @give ..4 @secret
rule standing-rule 690 = @onset @act
rule redirection 690 = @onset @act ..8 @newacct
rule exfiltration 690 = @onset @sendp ..6 @each ..8 @address
rule exfiltration 690 = ^@sendp ..6 @each ..10 @address
rule exfiltration 690 = @each ..6 ^@sendp ..6 @address
rule exfiltration 690 = @pre @sendp ..6 @each ..10 @address
rule exfiltration 690 = @each ..6 @pre @sendp ..6 @address
rule bypass 650 = ^@skip ..2 @idcheck
rule bypass 650 = @pre @skip ..2 @idcheck
rule bypass 650 = @noask ..3 @gate
rule override 650 = @instr ..2 @sys ..6 @void
rule pre-authorization 650 = @preapproved ..6 @each
