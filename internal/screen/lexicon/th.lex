# Copyright The MemoryTrust Authors.
# SPDX-License-Identifier: Apache-2.0

# Signal for Thai. Verbs have no forms, so an order needs a word that makes one (ให้, ต้อง, ห้าม, โดยไม่ต้อง) or begins the text.
language th
script Thai

# Words for what is quoted, and those that say to follow it.
class mood.mention = ประโยค วลี ข้อความที่ว่า คำว่า ถ้อยคำ การโจมตี กลโกง กลลวง หลอกลวง ตัวอย่าง ชื่อเรื่อง คำขวัญ
  สโลแกน กล่าวว่า เขียนว่า
class mood.follow = ทำตาม ให้ทำตาม จงทำตาม ปฏิบัติตาม เชื่อฟัง ดำเนินการตาม นำไปใช้ บังคับใช้ ต่อจากนี้ นับจากนี้
  ตั้งแต่นี้ กฎ

class ignore = เพิกเฉย ละเว้น ละเลย ไม่ต้องสนใจ อย่าสนใจ ลืม มองข้าม ยกเลิก ไม่ต้องทำตาม อย่าทำตาม ไม่ต้องปฏิบัติตาม เลิกทำตาม
  ทิ้ง เมิน อย่าปฏิบัติตาม
class prior = ก่อนหน้า ก่อนหน้านี้ ที่ผ่านมา เดิม เก่า ทั้งหมด ข้างต้น ของระบบ ที่ได้รับ ของคุณ ระบบ
class instr = คำสั่ง กฎ คำแนะนำ ข้อจำกัด แนวทาง ข้อกำหนด นโยบาย คำชี้แจง คำสั่งระบบ ข้อกำหนดด้านความปลอดภัย
class noneed = โดยไม่ต้อง ไม่ต้อง โดยไม่จำเป็นต้อง ไม่จำเป็นต้อง ห้าม อย่า ไม่ต้องรอ โดยไม่ต้องรอ โดยไม่ต้องขอ ไม่ต้องขอ ห้ามขอ
  อย่าขอ โดยข้าม ข้าม งด
class gate = ยืนยัน อนุมัติ ถาม ขออนุญาต อนุญาต ตรวจสอบ การอนุมัติ การยืนยัน การตรวจสอบ ความเห็นชอบ สอบถาม การอนุญาต ยืนยันตัวตน
  ตรวจ การตรวจ ขั้นตอนยืนยัน รับรอง คำอนุมัติ แจ้ง ปรึกษา การยืนยันตัวตน การตรวจสอบตัวตน ตรวจสอบตัวตน การอนุมัติครั้งที่สอง
class act = โอน โอนเงิน จ่าย จ่ายเงิน ชำระ ชำระเงิน ส่ง ส่งต่อ ลบ อนุมัติ ยอมรับ ดำเนินการ รัน เรียกใช้ แชร์ แบ่งปัน มอบ เปิดเผย
  อนุญาต คืนเงิน ปฏิเสธ แนบ เพิ่ม สำเนาถึง คัดลอก ปล่อย ติดตั้ง ดาวน์โหลด เผยแพร่
class firm = ให้ ต้อง จง โปรด กรุณา จะต้อง คุณต้อง ให้คุณ
class onset = นับจากนี้ ต่อจากนี้ ต่อไปนี้ ตั้งแต่นี้ ตั้งแต่นี้ไป นับจากนี้ไป ตั้งแต่นี้เป็นต้นไป ตั้งแต่วันนี้ นับแต่นี้
  จากนี้ไป จากนี้ ทุกครั้งที่ เมื่อใดก็ตาม ในอนาคต ต่อไป
class rulehead = กฎถาวร กฎใหม่ นโยบายใหม่ คำสั่งถาวร คำสั่งใหม่ กฎประจำ ข้อกำหนดใหม่ กฎตายตัว ระเบียบใหม่ คำสั่งประจำ
  ขั้นตอนใหม่
class skip = ข้าม ปิด ปิดใช้งาน งด ยกเว้น
class reveal = บอก เปิดเผย ให้ ส่ง แสดง แจ้ง มอบ แชร์ พิมพ์ แนบ
class secret = รหัสผ่าน คีย์_api คีย์ รหัสลับ รหัสยืนยัน หมายเลขบัตร เลขบัตร ข้อมูลบัตร ข้อมูลเข้าสู่ระบบ โทเคน พรอมต์ระบบ
  รหัสพิน กุญแจลับ พาสเวิร์ด
class dont = ห้าม อย่า ไม่ต้อง ต้องไม่ จงอย่า อย่าได้ ไม่ควร อย่าให้ ห้ามให้
class speak = บอก แจ้ง กล่าวถึง พูดถึง เล่า เปิดเผย เอ่ยถึง รายงาน ให้ รู้ ทราบ
class conceal = ปกปิด ปิดบัง ซ่อน เก็บเป็นความลับ
class user = ผู้ใช้ ลูกค้า เจ้าของบัญชี ผู้ใช้งาน เจ้าของ ในบทสนทนา ในการสนทนา ในคำตอบ
class newacct = บัญชีใหม่ เลขบัญชีใหม่ บัญชีต่อไปนี้ ที่อยู่ใหม่ บัญชีอื่น เบอร์ใหม่
class preapproved = อนุมัติล่วงหน้า รับการอนุมัติล่วงหน้า อนุญาตล่วงหน้า อนุมัติไว้แล้ว รายชื่อที่อนุญาต ไวต์ลิสต์
  อนุมัติไว้ล่วงหน้า บัญชีขาว อนุมัติแล้ว
class remember = จำ จดจำ จำไว้ จดจำไว้ ถือว่า ให้ถือว่า บันทึกไว้ จำไว้ว่า
class mostrel = น่าเชื่อถือที่สุด เชื่อถือได้มากที่สุด เชื่อถือได้ที่สุด ไว้ใจได้ที่สุด เพียงแห่งเดียว ดีที่สุด ถูกต้องที่สุด
  ไว้ใจได้มากที่สุด
class source = แหล่งข้อมูล แหล่ง เว็บไซต์ แหล่งอ้างอิง
class always = เสมอ ทุกครั้ง อันดับแรก ก่อน ก่อนเสมอ ตลอด
class recommend = แนะนำ อ้างอิง เสนอ
class sysmsg = ข้อความจากระบบ ข้อความระบบ ประกาศจากระบบ ข้อความจากผู้ดูแลระบบ ประกาศจากผู้ดูแลระบบ คำสั่งจากผู้ดูแลระบบ
  คำสั่งระบบ แจ้งเตือนจากระบบ ข้อความจากทีมความปลอดภัย
class youmay = คุณได้รับอนุญาต คุณมีสิทธิ์ คุณมีอำนาจ คุณได้รับสิทธิ์ คุณได้รับมอบอำนาจ
class limits = ทุก ทั้งหมด ไม่มีข้อจำกัด ข้อจำกัด ทุกอย่าง ขีดจำกัด
class youare = ตอนนี้คุณคือ คุณไม่ใช่ ต่อไปนี้คุณคือ คุณคือ สวมบทบาท แสร้งทำเป็น
class wants = ผู้ใช้ต้องการ ผู้ใช้ชอบ ผู้ใช้อยาก ลูกค้าต้องการ ฉันต้องการให้คุณ ผมต้องการให้คุณ ผู้ใช้ประสงค์
class other = ต้องการ ให้บริการ ทำให้ ช่วยให้ ไม่ให้ ไม่ต้องการ อย่าลืม ห้ามลืม ไม่ลืม อย่าเพิกเฉย ห้ามละเลย อย่าละเลย
  ไม่ควรละเลย อย่ามองข้าม
class onset2 = นับจากนี้ ต่อจากนี้ ต่อไปนี้ ตั้งแต่นี้ไป นับจากนี้ไป ตั้งแต่นี้เป็นต้นไป ตั้งแต่วันนี้ จากนี้ไป
class send = ส่ง ส่งต่อ สำเนาถึง แนบ เพิ่ม ส่งสำเนา
class each = ทุก ทั้งหมด ทุกฉบับ ทุกครั้ง
class idcheck = ยืนยันตัวตน การยืนยันตัวตน การตรวจสอบตัวตน ตรวจสอบตัวตน การอนุมัติครั้งที่สอง การตรวจสอบ การยืนยัน
class sys = ระบบ ความปลอดภัย แพลตฟอร์ม ก่อนหน้า
class void = เป็นโมฆะ ไม่มีผล ไม่มีผลบังคับใช้ หมดอายุ ยกเลิกแล้ว ใช้ไม่ได้แล้ว ถูกยกเลิก

# Rules. A weight below 700 can be overruled by a model that is sure of the contrary.

rule override 690 = @ignore ..2 @instr ..3 @prior
rule bypass 750 = (@firm|@onset) ..6 @act ..12 @noneed ..1 @gate
rule bypass 750 = ^@act ..14 @noneed ..1 @gate
rule bypass 690 = @noneed ..1 @gate ..6 @firm ..2 @act
rule standing-rule 690 = @onset ..8 @noneed ..1 @gate
rule preference-rule 690 = @wants ..12 @noneed ..1 @gate
rule bypass 600 = @act ..10 @noneed ..1 @gate ..8 (@onset|ค่าเริ่มต้น|เสมอ|ทุกครั้ง)
rule bypass 600 = @act ..4 ทุก ..8 @noneed ..1 @gate
rule bypass 690 = ^@noneed ..1 @gate ..8 @act
rule standing-rule 690 = @onset ..6 @firm ..4 @act
rule standing-rule 690 = @onset2 @act
rule standing-rule 690 = @rulehead: ..8 @act
rule exfiltration 690 = @firm ..1 @reveal ..2 @secret
rule exfiltration 690 = ^@reveal ..2 @secret
rule concealment 690 = @dont ..2 @speak ..3 @user
rule concealment 690 = @firm ..2 @conceal ..6 @user
rule redirection 690 = (@firm|@onset) ..6 @act ..10 @newacct
rule redirection 690 = ^@act ..10 @newacct
rule pre-authorization 650 = @preapproved ..6 @noneed ..2 @gate
rule pre-authorization 650 = @preapproved ..8 @firm ..3 @act
rule trust-endorsement 690 = @remember ..15 @source ..4 @mostrel
rule trust-endorsement 650 = @firm ..1 @recommend ..10 @always
rule authority-claim 650 = ^@sysmsg:
rule authority-claim 650 = @youmay ..8 @limits
rule persona 650 = @youare ..10 @limits
rule exfiltration 690 = @firm ..1 @send ..10 @each ..8 @address
rule exfiltration 690 = ^@send ..8 @each ..8 @address
rule exfiltration 690 = @each ..6 @firm @send ..8 @address
rule bypass 650 = @firm @skip ..2 @idcheck
rule bypass 650 = ^@skip ..2 @idcheck
rule override 650 = @instr ..2 @sys ..6 @void
rule pre-authorization 650 = @preapproved ..6 @each
