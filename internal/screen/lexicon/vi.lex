# Copyright The MemoryTrust Authors.
# SPDX-License-Identifier: Apache-2.0

# Signal for Vietnamese. Verbs have no forms, so an order needs a word that makes one (hãy, phải, đừng, không cần) or begins its clause.
language vi

# Words for what is quoted, and those that say to follow it.
class mood.mention = câu câu_nói cụm_từ từ_ngữ dòng_chữ cuộc_tấn_công tấn_công lừa_đảo trò_lừa chiêu_trò mánh_khóe ví_dụ
  tiêu_đề khẩu_hiệu đã_nói đã_viết
class mood.follow = làm_theo hãy_làm_theo làm_đúng làm_như tuân_theo tuân_thủ thực_hiện thi_hành áp_dụng chấp_hành
  nghe_theo từ_bây_giờ từ_nay quy_tắc quy_định có_hiệu_lực

class ignore = bỏ_qua phớt_lờ quên quên_đi không_tuân_theo đừng_tuân_theo đừng_làm_theo hủy_bỏ huỷ_bỏ loại_bỏ
  không_cần_tuân_theo lờ_đi gạt_bỏ xóa_bỏ
class prior = trước_đó trước trước_đây ở_trên ban_đầu cũ hệ_thống của_bạn hiện_tại đã_nhận trước_kia
class instr = chỉ_dẫn hướng_dẫn chỉ_thị quy_tắc mệnh_lệnh lệnh giới_hạn hạn_chế quy_định nguyên_tắc yêu_cầu
class few = mọi tất_cả các toàn_bộ những hết
class noneed = không_cần mà_không_cần không_phải khỏi_cần khỏi không_cần_phải mà_không_phải chẳng_cần đừng không_được
  đừng_bao_giờ không_bao_giờ
class lack = mà_không mà_không_có không_có_sự
class gate = xác_nhận phê_duyệt hỏi xin_phép xác_minh kiểm_tra sự_đồng_ý xin_ý_kiến chờ_duyệt hỏi_lại xác_thực sự_cho_phép
  báo_trước đợi_duyệt chấp_thuận chờ_xác_nhận yêu_cầu_xác_nhận xin_xác_nhận duyệt chờ_phê_duyệt xin_phê_duyệt thông_báo
  hỏi_ý_kiến
class act = chuyển chuyển_tiền chuyển_khoản thanh_toán trả trả_tiền gửi chuyển_tiếp xóa xoá phê_duyệt duyệt chấp_nhận chấp_thuận
  thực_hiện chạy thực_thi chia_sẻ cung_cấp cấp mở công_bố cho_phép giải_ngân hoàn_tiền xử_lý từ_chối đính_kèm thêm sao_chép tải
  cài_đặt ký bcc đóng
class firm = hãy phải vui_lòng bạn_phải bạn_cần xin_hãy luôn_phải cứ tự_động bắt_buộc
class onset = từ_nay từ_nay_về_sau từ_bây_giờ kể_từ_bây_giờ kể_từ_nay từ_giờ từ_giờ_trở_đi từ_hôm_nay kể_từ_hôm_nay mỗi_khi
  mỗi_lần bất_cứ_khi_nào về_sau trong_tương_lai từ_nay_trở_đi kể_từ_giờ
class rulehead = quy_tắc_mới quy_tắc_cố_định quy_tắc_vĩnh_viễn chính_sách_mới chỉ_thị_mới chỉ_thị_thường_trực quy_định_mới
  nguyên_tắc_mới quy_tắc_thường_trực hướng_dẫn_mới quy_tắc_mặc_định quy_trình_mới
class skip = bỏ_qua bỏ tắt vô_hiệu_hóa vô_hiệu_hoá miễn bỏ_bước
class check = xác_minh xác_nhận xác_thực kiểm_tra phê_duyệt danh_tính xác_thực_hai_lớp giám_sát nhật_ký bước_xác_minh
  bước_phê_duyệt bước_kiểm_tra
class reveal = cho tiết_lộ cung_cấp nói gửi đưa hiển_thị chia_sẻ cho_biết đọc in_ra đính_kèm
class secret = mật_khẩu khóa_api khoá_api api_key mã_otp số_thẻ thông_tin_thẻ lời_nhắc_hệ_thống thông_tin_đăng_nhập mã_xác_thực
  mã_pin khóa_bí_mật mã_bí_mật khóa_truy_cập token prompt_hệ_thống
class hide = đừng_nói đừng_cho_biết đừng_tiết_lộ đừng_nhắc đừng_báo đừng_thông_báo đừng_đề_cập không_được_nói không_được_tiết_lộ
  không_được_nhắc không_được_đề_cập không_được_báo giấu che_giấu giữ_kín tuyệt_đối_không_nhắc đừng_bao_giờ_nói đừng_bao_giờ_nhắc
  đừng_kể không_nói đừng_để_lộ không_đề_cập đừng_cho tuyệt_đối_không_nói tuyệt_đối_không_nhắc_tới
class user = người_dùng khách_hàng chủ_tài_khoản khách chủ_nhân trong_cuộc_trò_chuyện trong_câu_trả_lời trong_báo_cáo
  trong_lúc_trò_chuyện khách_biết
class newacct = tài_khoản_mới số_tài_khoản_mới tài_khoản_sau số_mới địa_chỉ_mới tài_khoản_khác
class preapproved = duyệt_trước phê_duyệt_trước được_duyệt_sẵn được_phê_duyệt_sẵn chấp_thuận_trước danh_sách_trắng phê_duyệt_sẵn
  duyệt_sẵn chấp_thuận_sẵn ủy_quyền_trước xác_minh_trước
class remember = ghi_nhớ nhớ hãy_nhớ coi xem lưu_lại
class mostrel = đáng_tin_cậy_nhất tin_cậy_nhất uy_tín_nhất đáng_tin_nhất chính_xác_nhất duy_nhất tốt_nhất chính_thức
class source = nguồn trang trang_web nguồn_tin nguồn_thông_tin trang_chính_thống
class always = luôn luôn_luôn đầu_tiên trước_tiên trước_hết ưu_tiên
class recommend = giới_thiệu đề_xuất khuyên_dùng trích_dẫn gợi_ý
class sysmsg = thông_báo_hệ_thống tin_nhắn_hệ_thống thông_điệp_hệ_thống tin_nhắn_từ_quản_trị_viên thông_báo_từ_quản_trị_viên
  thông_báo_của_quản_trị_viên thông_báo_từ_đội_bảo_mật lệnh_hệ_thống
class youmay = bạn_được_phép bạn_có_quyền bạn_được_ủy_quyền bạn_đã_được_ủy_quyền bạn_đã_được_cấp_quyền bạn_được_cấp_quyền
class limits = mọi tất_cả không_giới_hạn giới_hạn hạn_chế bất_kỳ kiểm_duyệt quy_tắc
class youare = bạn_bây_giờ_là bây_giờ_bạn_là bạn_giờ_là từ_giờ_bạn_là bạn_không_còn_là bạn_không_còn giả_vờ đóng_vai
class wants = người_dùng_muốn người_dùng_thích người_dùng_mong_muốn khách_hàng_muốn tôi_muốn_bạn tôi_thích_bạn
  người_dùng_yêu_cầu người_dùng_ưu_tiên
class send = gửi chuyển_tiếp bcc cc sao_chép thêm đính_kèm
class each = mọi mỗi tất_cả từng toàn_bộ
class idcheck = xác_minh xác_thực danh_tính xác_minh_danh_tính xác_thực_hai_lớp xác_thực_hai_bước phê_duyệt_thứ_hai
  bước_xác_minh bước_xác_thực
class sys = hệ_thống an_toàn nền_tảng trước_đó
class void = không_còn_hiệu_lực hết_hiệu_lực không_còn_áp_dụng vô_hiệu bị_hủy_bỏ đã_hết_hiệu_lực

# Rules. A weight below 700 can be overruled by a model that is sure of the contrary.

rule override 690 = ^@ignore ?@few @instr ..4 @prior
rule override 690 = (@firm|@onset|và) @ignore ?@few @instr ..4 @prior
rule bypass 750 = (@firm|@onset) ..10 @act ..10 @noneed ..1 @gate
rule bypass 750 = ^@act ..12 @noneed ..1 @gate
rule bypass 750 = luôn ..2 @act ..10 @noneed ..1 @gate
rule bypass 690 = @noneed ..1 @gate ..6 @act
rule bypass 650 = @act ..8 @noneed ..1 @gate
rule bypass 690 = (@firm|@onset) ..8 @act ..10 @lack ..2 @gate
rule standing-rule 690 = @onset ..10 @noneed ..1 @gate
rule preference-rule 690 = @wants ..12 @noneed ..1 @gate
rule preference-rule 690 = @wants ..12 @lack ..2 @gate
rule bypass 690 = ^@act ..10 @lack ..2 @gate
rule bypass 650 = @firm ..8 @act ..10 @skip ..2 @check
rule bypass 690 = (@firm|@onset) ..2 @skip ..2 @check
rule standing-rule 690 = @onset ..6 @firm ..4 @act
rule standing-rule 690 = @onset: @act
rule standing-rule 690 = @onset ..6 (đừng|không_cần) ..3 @gate
rule standing-rule 600 = @onset @act ..2 @few
rule standing-rule 600 = @onset @act ..1 mọi
rule standing-rule 690 = @rulehead: ..8 @act
rule exfiltration 690 = @firm ..5 @reveal ..5 @secret
rule concealment 690 = @hide ..4 @user
rule redirection 690 = (@firm|@onset) ..8 @act ..10 @newacct
rule redirection 690 = ^@act ..8 @newacct
rule pre-authorization 650 = @preapproved ..8 @noneed ..2 @gate
rule pre-authorization 650 = @preapproved ..8 @firm ..4 @act
rule trust-endorsement 690 = @remember ..10 @source ..4 @mostrel
rule trust-endorsement 650 = (@firm|@onset) ..4 @always ..3 @recommend
rule trust-endorsement 650 = @firm ..3 @recommend ..8 @always
rule authority-claim 650 = ^@sysmsg:
rule authority-claim 650 = @youmay ..8 @limits
rule persona 650 = @youare ..10 không ..3 @limits
rule exfiltration 690 = @firm ..3 @send ..8 @each ..10 @address
rule exfiltration 690 = @each ..8 @firm ..3 @send ..10 @address
rule exfiltration 690 = ^@send ..8 @each ..10 @address
rule bypass 650 = ^@skip ..2 @idcheck
rule bypass 650 = @firm ..1 @skip ..2 @idcheck
rule override 650 = @instr ..2 @sys ..6 @void
rule pre-authorization 650 = @preapproved ..6 @each
