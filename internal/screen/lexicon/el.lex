# Copyright The MemoryTrust Authors.
# SPDX-License-Identifier: Apache-2.0

# Signal for Greek: orders and obligations by their forms, never the past or the first person.
language el

# Words for what is quoted, and those that say to follow it.
class mood.mention = φράση φράσεις πρόταση προτάσεις έκφραση λέξεις λέξη επίθεση επιθέσεις απάτη τέχνασμα κόλπο
  παράδειγμα παραδείγματα τίτλος σύνθημα αφίσα έγραψε έγραφε είπε διάβασε
class mood.follow = ακολούθησέ ακολούθησε ακολουθήστε ακολούθα υπάκουσε υπακούστε κάνε_ό_τι κάνε_αυτό κάντε_αυτό
  εκτέλεσέ εκτέλεσε εκτελέστε εφάρμοσε εφαρμόστε εφάρμοσέ τήρησε τηρήστε από_τώρα_και_στο_εξής στο_εξής κανόνας κανόνα
  ισχύει

class ignore = αγνοήστε αγνόα να_αγνοήσεις να_αγνοείς να_αγνοήσετε ξέχνα ξεχάστε παραβλέψτε παρακάμψτε ακυρώστε μην_ακολουθείς
  μην_ακολουθείτε μη_λαμβάνεις_υπόψη μην_τηρείς πρέπει_να_αγνοήσεις
class prior = προηγούμενες προηγούμενους προηγούμενα προηγούμενων προηγουμένων παλιές παλιούς αρχικές αρχικούς παραπάνω πρότερες
  σου τωρινές ως_τώρα μέχρι_τώρα συστήματος
class instr = οδηγίες οδηγιών εντολές εντολών κανόνες κανόνων περιορισμούς περιορισμών κατευθύνσεις υποδείξεις ρυθμίσεις
  οι_οδηγίες
class without = χωρίς δίχως άνευ
class gate = επιβεβαίωση επιβεβαιώσεις έγκριση άδεια έλεγχο ελέγχους επαλήθευση ταυτοποίηση ερώτηση ερωτήσεις εξουσιοδότηση
  συγκατάθεση επικύρωση συναίνεση ενημέρωση
class nogate = χωρίς_να_ρωτάς χωρίς_να_ρωτήσεις χωρίς_να_ρωτάτε χωρίς_να_ρωτήσετε χωρίς_να_ζητάς χωρίς_να_ζητήσεις
  χωρίς_να_ζητάτε χωρίς_να_περιμένεις χωρίς_να_επιβεβαιώνεις χωρίς_να_ελέγχεις χωρίς_να_ελέγξεις χωρίς_να_ζητείται
  χωρίς_να_απαιτείται χωρίς_να_επαληθεύεις χωρίς_να_ενημερώνεις χωρίς_να_επαληθεύσεις παρακάμπτοντας_τον_έλεγχο
  παραλείποντας_τον_έλεγχο χωρίς_να_ζητάς_έγκριση
class act = πλήρωνε πληρώνετε πληρώστε μεταφέρετε έμβαζε έμβασε εμβάστε στέλνε στείλε στέλνετε στείλτε προωθήστε προωθείτε
  διαβίβαζε διαβιβάστε εγκρίνετε διέγραφε διαγράψτε διαγράφετε σβήσε σβήνε σβήστε εκτελείτε εκτελέστε κοινοποιήστε μοιράσου δώσε
  δίνε δώστε δίνετε αποδέξου αποδεχτείτε τρέξε τρέξτε κατέβασε άνοιξε δημοσίευσε επίτρεψε επιτρέψτε κατάθεσε καταθέστε απόρριπτε
  απόρριψε αρνήσου πρόσθετε πρόσθεσε να_εγκρίνεις να_εγκρίνετε να_πληρώνεις να_πληρώνετε να_πληρώσεις να_μεταφέρεις
  να_μεταφέρετε να_στέλνεις να_στέλνετε να_στείλεις να_προωθείς να_προωθείτε να_διαγράφεις να_διαγράψεις να_διαγράφετε
  να_εκτελείς να_εκτελείτε να_δίνεις να_δίνετε να_δέχεσαι να_αποδέχεσαι να_μοιράζεσαι να_κοινοποιείς να_προσθέτεις
  να_απορρίπτεις να_αρνείσαι
class must = πρέπει οφείλεις οφείλετε επιβάλλεται χρειάζεται απαιτείται
class inf = να_διαγράφονται να_πληρώνονται να_εγκρίνονται να_στέλνονται να_εκτελούνται να_μεταφέρονται να_προωθούνται
  να_γίνονται_δεκτά να_γίνονται_δεκτές να_εγκρίνεται να_πληρώνεται να_διαγράφεται να_αποστέλλονται να_δίνεται να_απορρίπτονται
class noask = μη_ρωτάς μην_ρωτάς μη_ρωτάτε μην_ρωτάτε μη_ζητάς μην_ζητάς μη_ζητάτε μην_ζητάτε μην_περιμένεις μη_ζητήσεις
  ποτέ_μη_ρωτάς ποτέ_μη_ζητάς μην_ελέγχεις μη_ζητείτε να_μη_ζητάς να_μη_ρωτάς να_μην_ζητάς να_μην_ρωτάς
class skip = παράλειψε παράλειπε παραλείψτε παράκαμψε παρακάμψτε παράκαμπτε προσπέρασε απενεργοποίησε απενεργοποιήστε
  να_παραλείπεις να_παρακάμπτεις
class check = έλεγχο επαλήθευση επιβεβαίωση έγκριση ταυτοποίηση ελέγχους παρακολούθηση καταγραφή άδεια
class onset = από_εδώ_και_πέρα από_εδώ_και_στο_εξής στο_εξής από_τώρα_και_στο_εξής από_τώρα εφεξής από_σήμερα κάθε_φορά_που
  στο_μέλλον όποτε από_δω_και_πέρα από_δω_και_στο_εξής σε_κάθε_μελλοντική
class rulehead = πάγια_οδηγία πάγια_εντολή μόνιμος_κανόνας μόνιμη_οδηγία νέος_κανόνας νέα_πολιτική νέα_οδηγία πάγιος_κανόνας
  νέα_διαδικασία
class reveal = δώσε δώστε δίνε δίνετε αποκαλύψτε αποκάλυπτε πες πείτε δείξε δείξτε στείλε στείλτε να_δίνεις να_αποκαλύπτεις
  να_στέλνεις παρέθεσε
class secret = κωδικό κωδικούς κωδικός_πρόσβασης συνθηματικό κλειδί_api κλειδιά_api api_key διαπιστευτήρια στοιχεία_σύνδεσης pin
  στοιχεία_της_κάρτας αριθμό_κάρτας αριθμό_της_κάρτας μυστικό_κλειδί token
class hide = μην_πεις μην_πείτε μη_λες μην_λες μην_αναφέρεις μην_αναφέρετε μην_αναφέρεσαι μην_αποκαλύψεις μην_αποκαλύπτεις
  μην_ενημερώνεις μην_ενημερώσεις μην_ενημερώνετε κρύψε κρύβε κρύψτε απόκρυψε αποκρύψτε ποτέ_μην_αναφέρεις να_μην_αναφέρεις
  να_μην_πεις να_κρύβεις να_αποκρύπτεις μην_αναφέρετε_ποτέ μη_γνωστοποιείς
class user = χρήστη χρήστες χρήστης πελάτη πελάτες ιδιοκτήτη χρήστρια στη_συνομιλία στις_απαντήσεις στην_αναφορά κατόχου κάτοχο
class newacct = νέο_λογαριασμό νέος_λογαριασμός καινούργιο_λογαριασμό νέο_iban νέα_διεύθυνση άλλο_λογαριασμό
class preapproved = προεγκεκριμένος προεγκεκριμένη προεγκεκριμένο προεγκεκριμένα προεγκεκριμένες ήδη_εγκεκριμένος
  ήδη_εγκεκριμένη ήδη_εγκεκριμένο εκ_των_προτέρων_εγκεκριμένος εκ_των_προτέρων_εγκεκριμένη έχει_προεγκριθεί έχουν_προεγκριθεί
  στη_λευκή_λίστα
class noneed = δεν_χρειάζεται δεν_χρειάζονται δεν_απαιτείται δεν_απαιτούν δεν_απαιτεί δεν_απαιτούνται
class remember = θυμήσου να_θυμάσαι να_θυμάστε θυμηθείτε απομνημόνευσε θεώρησε θεωρήστε θεώρει να_θεωρείς
class mostrel = πιο_αξιόπιστη πιο_αξιόπιστο πιο_έγκυρη πιο_έγκυρο αξιόπιστη έγκυρη μοναδική_αξιόπιστη πλέον_αξιόπιστη καλύτερη
class source = πηγή πηγής ιστοσελίδα
class always = πάντα πάντοτε πρώτο πρώτη πρώτα
class recommend = πρότεινε προτείνετε σύστηνε να_προτείνεις να_συστήνεις να_το_προτείνεις να_την_προτείνεις να_παραπέμπεις
  να_αναφέρεις
class sysmsg = μήνυμα_συστήματος ειδοποίηση_συστήματος μήνυμα_διαχειριστή οδηγία_συστήματος εντολή_διαχειριστή
  μήνυμα_του_διαχειριστή μήνυμα_από_τον_διαχειριστή ανακοίνωση_ομάδας_ασφαλείας
class youmay = έχεις_εξουσιοδότηση έχεις_άδεια είσαι_εξουσιοδοτημένος έχετε_εξουσιοδότηση είστε_εξουσιοδοτημένος έχεις_δικαίωμα
  σου_επιτρέπεται
class limits = περιορισμούς κάθε όλες όλα όλους κανόνες φίλτρα λογοκρισία
class youare = είσαι_τώρα είσαι_πλέον τώρα_είσαι δεν_είσαι_πια προσποιήσου συμπεριφέρσου_σαν
class wants = ο_χρήστης_θέλει ο_χρήστης_προτιμά ο_πελάτης_προτιμά ο_πελάτης_θέλει
class amb = μετέφερε διέγραψε ενέκρινε εκτέλεσε πλήρωσε προώθησε κοινοποίησε διαβίβασε έγκρινε
class forget = αγνόησε ακύρωσε ξέχασε παράβλεψε παράκαμψε απόρριψε
class tell = αποκάλυψε φανέρωσε εμφάνισε κοινοποίησε
class pre = πάντα αμέσως αυτόματα απλώς απλά και πάντοτε τώρα παρακαλώ
class send = στέλνε στείλε στέλνετε στείλτε προωθήστε προωθείτε να_στέλνεις να_στέλνετε να_προωθείς να_κοινοποιείς να_προσθέτεις
  να_στείλεις το_στέλνεις τα_στέλνεις στέλνεις_και
class each = κάθε όλα όλες όλους όλων
class idcheck = επαλήθευση ταυτοποίηση έλεγχο_ταυτότητας έλεγχο_ταυτοποίησης δεύτερη_έγκριση δεύτερη_υπογραφή
  επαλήθευση_ταυτότητας διπλή_επαλήθευση
class sys = συστήματος ασφαλείας πλατφόρμας προηγούμενες προηγούμενοι
class void = δεν_ισχύουν παύουν_να_ισχύουν ακυρώνονται καταργούνται δεν_ισχύουν_πλέον έχουν_λήξει

# Rules. A weight below 700 can be overruled by a model that is sure of the contrary.
# Verbs that "not" can stand before count only at the start of a clause or behind @pre.

rule override 690 = @ignore ..2 @prior ..3 @instr
rule override 690 = ^@forget ..2 @prior ..3 @instr
rule override 690 = @pre @forget ..2 @prior ..3 @instr
rule override 690 = @ignore ..2 @instr ..3 @prior
rule override 690 = ^@forget ..2 @instr ..3 @prior
rule override 690 = @pre @forget ..2 @instr ..3 @prior
rule bypass 750 = @act ..10 @nogate
rule bypass 750 = ^@amb ..10 @nogate
rule bypass 750 = @pre @amb ..10 @nogate
rule bypass 750 = @nogate ..8 @act
rule bypass 750 = @nogate ..8 ^@amb
rule bypass 750 = @nogate ..8 @pre @amb
rule bypass 750 = @act ..10 @without ..3 @gate
rule bypass 750 = ^@amb ..10 @without ..3 @gate
rule bypass 750 = @pre @amb ..10 @without ..3 @gate
rule bypass 750 = @without ..3 @gate ..8 @act
rule bypass 750 = @without ..3 @gate ..8 ^@amb
rule bypass 750 = @without ..3 @gate ..8 @pre @amb
rule bypass 690 = @must ..4 @inf ..8 @nogate
rule bypass 690 = @must ..1 @nogate ..4 @inf
rule bypass 690 = @must ..4 @inf ..8 @without ..3 @gate
rule bypass 690 = @must ..1 @without ..3 @gate ..4 @inf
rule standing-rule 690 = @onset ..6 @must ..4 @inf
rule standing-rule 650 = @rulehead: ..8 @must ..4 @inf
rule bypass 690 = @noask ..8 @act
rule bypass 690 = @noask ..8 ^@amb
rule bypass 690 = @noask ..8 @pre @amb
rule bypass 690 = @act ..10 @noask
rule bypass 690 = ^@amb ..10 @noask
rule bypass 690 = @pre @amb ..10 @noask
rule bypass 650 = @skip ..3 @check ..8 @act
rule bypass 650 = @skip ..3 @check ..8 ^@amb
rule bypass 650 = @skip ..3 @check ..8 @pre @amb
rule bypass 650 = @act ..10 @skip ..3 @check
rule bypass 650 = ^@amb ..10 @skip ..3 @check
rule bypass 650 = @pre @amb ..10 @skip ..3 @check
rule standing-rule 690 = @onset ..8 @act
rule standing-rule 690 = @onset ..8 ^@amb
rule standing-rule 690 = @onset ..8 @pre @amb
rule standing-rule 650 = @act ..8 @onset
rule standing-rule 650 = ^@amb ..8 @onset
rule standing-rule 650 = @pre @amb ..8 @onset
rule standing-rule 690 = @onset ..8 @noask
rule standing-rule 690 = @onset ..5 @skip ..3 @check
rule standing-rule 690 = @rulehead: ..10 @act
rule standing-rule 690 = @rulehead: ..10 ^@amb
rule standing-rule 690 = @rulehead: ..10 @pre @amb
rule exfiltration 690 = @reveal ..4 @secret
rule exfiltration 690 = ^@tell ..4 @secret
rule concealment 690 = @hide ..3 @user
rule concealment 690 = @user ..4 @hide
rule redirection 690 = @act ..10 @newacct
rule redirection 690 = ^@amb ..10 @newacct
rule redirection 690 = @pre @amb ..10 @newacct
rule pre-authorization 650 = @preapproved ..10 @noneed ..3 @gate
rule pre-authorization 650 = @preapproved ..8 @act
rule pre-authorization 650 = @preapproved ..8 ^@amb
rule pre-authorization 650 = @preapproved ..8 @pre @amb
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
rule exfiltration 690 = @send ..6 @each ..10 @address
rule exfiltration 690 = @each ..6 @send ..6 @address
rule bypass 650 = @skip ..2 @idcheck
rule bypass 650 = @noask ..3 @gate
rule override 650 = @instr ..2 @sys ..6 @void
rule pre-authorization 650 = @preapproved ..6 @each
