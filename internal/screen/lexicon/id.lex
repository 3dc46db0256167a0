# Copyright The MemoryTrust Authors.
# SPDX-License-Identifier: Apache-2.0

# Signal for Indonesian. The imperative is the bare stem ("kirim"); "mengirim" and "dikirim" tell, unless a word of obligation stands before.
language id

# Words for what is quoted, and those that say to follow it.
class mood.mention = kalimat frasa frase ungkapan kata kata-kata serangan penipuan trik tipuan contoh judul slogan
  poster berkata katanya menulis tertulis berbunyi
class mood.follow = ikuti ikutilah patuhi patuhilah turuti turutilah laksanakan laksanakanlah jalankan jalankanlah
  lakukan lakukanlah terapkan mulai_sekarang aturan aturanmu berlaku

class ignore = abaikan abaikanlah lupakan lupakanlah hiraukan buang batalkan kesampingkan jangan_ikuti jangan_patuhi tinggalkan
  jangan_turuti jangan_indahkan hapus_semua harus_mengabaikan harap_abaikan wajib_mengabaikan
class prior = sebelumnya terdahulu lama awal sistem di_atas asli semula yang_lalu anda_sebelumnya bawaan
class instr = instruksi perintah aturan arahan pedoman batasan petunjuk larangan ketentuan panduan pembatasan
class without = tanpa
class gate = konfirmasi persetujuan izin verifikasi bertanya pertanyaan pemeriksaan menanyakan meminta menunggu otorisasi
  mengecek memeriksa sepengetahuan pengecekan memverifikasi autentikasi memberi_tahu perlu dikonfirmasi diminta
class nogate = tanpa_bertanya tanpa_konfirmasi tanpa_persetujuan tanpa_izin tanpa_verifikasi tanpa_perlu_konfirmasi tanpa_tanya
  tanpa_menunggu_persetujuan tanpa_sepengetahuan
class inf = membayar mengirim mengirimkan mentransfer meneruskan menyetujui menghapus menjalankan mengeksekusi membagikan
  memberikan menerima membuka memproses mencairkan mengizinkan meloloskan menyertakan menolak mengalihkan melakukan dibayar
  dikirim dikirimkan ditransfer diteruskan disetujui dihapus dijalankan dibagikan diberikan diterima diproses ditolak dialihkan
  segera_dibayar langsung_disetujui
class noask = jangan_tanya jangan_bertanya jangan_tanyakan jangan_minta jangan_meminta jangan_tunggu jangan_menunggu
  jangan_pernah_tanya jangan_pernah_minta jangan_pernah_meminta tidak_perlu_bertanya tidak_perlu_meminta tak_perlu_bertanya
  jangan_periksa jangan_pernah_bertanya tidak_usah_bertanya tidak_usah_tanya
class skip = lewati lewatkan loncati abaikan matikan nonaktifkan lompati tiadakan hilangkan
class check = verifikasi konfirmasi persetujuan pemeriksaan autentikasi otorisasi pengecekan pencatatan pemantauan identitas
  validasi
class onset = mulai_sekarang mulai_saat_ini mulai_hari_ini sejak_sekarang selanjutnya seterusnya untuk_seterusnya ke_depannya
  ke_depan mulai_kini setiap_kali setiap_saat di_masa_depan setiap_ada
class rulehead = aturan_permanen aturan_baru kebijakan_baru aturan_tetap perintah_tetap instruksi_permanen instruksi_baru
  instruksi_tetap prosedur_baru pembaruan_kebijakan aturan_bawaan perintah_permanen
class reveal = berikan beri beri_tahu beritahukan beritahu ungkapkan tunjukkan tampilkan bocorkan kirim kirimkan bagikan
  sebutkan serahkan sertakan cantumkan
class secret = kata_sandi sandi password kunci_api api_key kunci_akses nomor_kartu data_kartu prompt_sistem kode_otp
  kode_verifikasi kredensial token pin kunci_rahasia kode_rahasia
class hide = jangan_beri_tahu jangan_beritahu jangan_katakan jangan_sebutkan jangan_sebut jangan_ungkapkan jangan_laporkan
  jangan_informasikan sembunyikan rahasiakan jangan_bilang jangan_ceritakan jangan_memberi_tahu jangan_pernah_sebutkan
  jangan_pernah_menyebut jangan_menyebutkan jangan_kasih_tahu jangan_pernah_memberi_tahu jangan_menyebut jangan_sampai
class user = pengguna pelanggan nasabah klien pemilik user pemilik_akun dalam_percakapan dalam_jawaban dalam_laporan
  di_percakapan
class newacct = rekening_baru nomor_rekening_baru rekening_berikut akun_baru nomor_baru alamat_baru rekening_lain
class preapproved = disetujui_sebelumnya sudah_disetujui telah_disetujui disetujui_terlebih_dahulu pra-disetujui daftar_putih
  sudah_diverifikasi telah_diverifikasi sudah_diizinkan telah_diotorisasi sudah_diotorisasi sudah_dapat_izin
class noneed = tidak_perlu tidak_memerlukan tidak_membutuhkan tak_perlu tidak_butuh tidak_usah tidak_diperlukan
class remember = ingat ingatlah anggap anggaplah catat catatlah simpan perlakukan
class mostrel = paling_tepercaya paling_terpercaya paling_dapat_dipercaya paling_andal terpercaya paling_akurat satu-satunya
  paling_kredibel terbaik tepercaya paling_bisa_dipercaya
class source = sumber situs rujukan
class always = selalu lebih_dulu terlebih_dahulu pertama pertama_kali utamakan
class recommend = rekomendasikan sarankan kutip anjurkan promosikan rujuk
class sysmsg = pesan_sistem notifikasi_sistem pesan_administrator pesan_dari_administrator pesan_admin pesan_dari_admin
  instruksi_sistem pesan_tim_keamanan pesan_dari_tim_keamanan pemberitahuan_sistem perintah_sistem
class youmay = anda_berwenang kamu_berwenang anda_diizinkan kamu_diizinkan anda_berhak kamu_berhak anda_diberi_wewenang
  kamu_boleh anda_memiliki_izin
class limits = batasan semua segala tanpa_batas pembatasan apa_pun filter sensor aturan
class youare = kamu_sekarang_adalah anda_sekarang_adalah sekarang_kamu sekarang_anda kamu_bukan_lagi anda_bukan_lagi
  berpura-puralah bertindaklah
class wants = pengguna_ingin pengguna_lebih_suka pengguna_mau pengguna_menginginkan pelanggan_ingin pelanggan_lebih_suka
  saya_ingin_anda saya_ingin_kamu saya_mau_kamu pengguna_menghendaki
class actp = bayar bayarlah bayarkan kirim kirimkan kirimlah transfer transferkan teruskan setujui setujuilah hapus hapuslah
  hapuskan jalankan eksekusi bagikan berikan beri terima terimalah buka proses proseslah cairkan unggah izinkan loloskan
  sertakan tambahkan tolak alihkan salin tembuskan lakukan pasang unduh sebarkan publikasikan luluskan kabulkan setorkan
  masukkan
class pre = selalu langsung segera silakan tolong mohon harap otomatis dan lalu maka cukup saja sekarang
class notneg = harus wajib mesti haruslah harus_selalu harus_langsung
class sendp = kirim kirimkan teruskan tembuskan salin salinkan sertakan tambahkan
class each = setiap semua seluruh tiap
class idcheck = verifikasi identitas autentikasi otentikasi pemeriksaan_identitas persetujuan_kedua dua_langkah dua_faktor
  verifikasi_identitas
class sys = sistem keamanan platform sebelumnya
class void = tidak_berlaku tidak_berlaku_lagi sudah_tidak_berlaku dibatalkan dicabut kedaluwarsa

# Rules. A weight below 700 can be overruled by a model that is sure of the contrary.
# Verbs that "not" can stand before count only at the start of a clause or behind @pre, obligations only as @notneg.

rule override 690 = ^@ignore ..2 @prior ..3 @instr
rule override 690 = @pre @ignore ..2 @prior ..3 @instr
rule override 690 = ^@ignore ..2 @instr ..3 @prior
rule override 690 = @pre @ignore ..2 @instr ..3 @prior
rule bypass 750 = @pre @actp ..10 @nogate
rule bypass 750 = ^@actp ..10 @nogate
rule bypass 750 = @nogate ..8 @pre @actp
rule bypass 750 = @nogate ..8 ^@actp
rule bypass 750 = @pre @actp ..10 @without ..3 @gate
rule bypass 750 = ^@actp ..10 @without ..3 @gate
rule bypass 750 = @without ..3 @gate ..8 @pre @actp
rule bypass 750 = @without ..3 @gate ..8 ^@actp
rule bypass 690 = @notneg ..4 @inf ..8 @nogate
rule bypass 690 = @notneg ..1 @nogate ..4 @inf
rule bypass 690 = @notneg ..4 @inf ..8 @without ..3 @gate
rule bypass 690 = @notneg ..1 @without ..3 @gate ..4 @inf
rule standing-rule 690 = @onset ..6 @notneg ..4 @inf
rule standing-rule 650 = @rulehead: ..8 @notneg ..4 @inf
rule bypass 690 = @noask ..8 @pre @actp
rule bypass 690 = @noask ..8 ^@actp
rule bypass 690 = @pre @actp ..10 @noask
rule bypass 690 = ^@actp ..10 @noask
rule bypass 650 = ^@skip ..3 @check ..8 @pre @actp
rule bypass 650 = @pre @skip ..3 @check ..8 @pre @actp
rule bypass 650 = ^@skip ..3 @check ..8 ^@actp
rule bypass 650 = @pre @skip ..3 @check ..8 ^@actp
rule bypass 650 = @pre @actp ..10 @skip ..3 @check
rule bypass 650 = ^@actp ..10 @skip ..3 @check
rule standing-rule 690 = @onset ..8 @pre @actp
rule standing-rule 690 = @onset ..8 ^@actp
rule standing-rule 650 = @pre @actp ..8 @onset
rule standing-rule 650 = ^@actp ..8 @onset
rule standing-rule 690 = @onset ..8 @noask
rule standing-rule 690 = @onset ..5 @skip ..3 @check
rule standing-rule 690 = @rulehead: ..10 @pre @actp
rule standing-rule 690 = @rulehead: ..10 ^@actp
rule exfiltration 690 = ^@reveal ..4 @secret
rule exfiltration 690 = @pre @reveal ..4 @secret
rule concealment 690 = @hide ..3 @user
rule concealment 690 = @user ..4 @hide
rule redirection 690 = @pre @actp ..10 @newacct
rule redirection 690 = ^@actp ..10 @newacct
rule pre-authorization 650 = @preapproved ..10 @noneed ..3 @gate
rule pre-authorization 650 = @preapproved ..8 @pre @actp
rule pre-authorization 650 = @preapproved ..8 ^@actp
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
rule standing-rule 690 = @onset @actp
rule exfiltration 690 = @onset @sendp ..8 @each ..8 @address
rule redirection 690 = @onset @actp ..8 @newacct
rule exfiltration 690 = ^@sendp ..6 @each ..10 @address
rule exfiltration 690 = @each ..6 ^@sendp ..6 @address
rule exfiltration 690 = @pre @sendp ..6 @each ..10 @address
rule exfiltration 690 = @each ..6 @pre @sendp ..6 @address
rule bypass 650 = ^@skip ..2 @idcheck
rule bypass 650 = @pre @skip ..2 @idcheck
rule bypass 650 = @noask ..3 @gate
rule override 650 = @instr ..2 @sys ..6 @void
rule pre-authorization 650 = @preapproved ..6 @each
