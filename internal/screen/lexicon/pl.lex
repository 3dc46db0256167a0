# Copyright The MemoryTrust Authors.
# SPDX-License-Identifier: Apache-2.0

# Signal for Polish: orders and obligations by their forms, never the past or the first person.
language pl

# Words for what is quoted, and those that say to follow it.
class mood.mention = zdanie zdania fraza frazy zwrot zwroty wyrażenie słowa słowo atak ataki ataku ataków oszustwo
  oszustwa sztuczka sztuczki przykład przykłady tytuł hasło plakat slogan powiedział powiedziała napisał napisała
class mood.follow = wykonaj wykonajcie wykonuj zastosuj zastosujcie stosuj stosujcie przestrzegaj przestrzegajcie
  posłuchaj posłuchajcie zrób_to zróbcie_to zrób_tak rób_tak rób_co postępuj postępujcie kieruj_się kierujcie_się
  podporządkuj_się od_teraz odtąd zasada zasadę reguła regułę obowiązuje

class ignore = ignoruj ignorujcie zignoruj zignorujcie zapomnij zapomnijcie pomiń pomijaj odrzuć porzuć nie_przestrzegaj
  nie_stosuj_się nie_kieruj_się unieważnij anuluj przestań_stosować proszę_zignorować należy_zignorować zlekceważ obejdź omijaj
class prior = poprzednie poprzednich wcześniejsze wcześniejszych dotychczasowe dotychczasowych dawne pierwotne systemowe
  systemowych swoje twoje swoich wszystkich_poprzednich powyższe powyższych poprzednią
class instr = instrukcje instrukcji instrukcjach polecenia poleceń poleceniach zasady zasad zasadach reguły reguł wytyczne
  wytycznych ograniczenia ograniczeń dyrektywy ustawienia nakazy zakazy
class without = bez
class gate = potwierdzenie zgodę akceptację zatwierdzenie pozwolenie potwierdzenia potwierdzania zgody zatwierdzenia
  zatwierdzania akceptacji weryfikacji pytania sprawdzania sprawdzenia autoryzacji zapytania konsultacji pozwolenia
  uwierzytelniania powiadamiania informowania upoważnienia
class nogate = nie_pytając nie_prosząc nie_czekając_na_zgodę nie_czekając_na_potwierdzenie nie_sprawdzając nie_weryfikując
  pomijając_weryfikację z_pominięciem_weryfikacji z_pominięciem_kontroli z_pominięciem_zatwierdzenia nie_informując
  z_pominięciem_procedury bez_wiedzy
class act = zapłać zapłaćcie opłać przelej przelejcie wyślij wyślijcie prześlij prześlijcie przekaż przekażcie zatwierdź
  zatwierdźcie zaakceptuj usuń usuńcie skasuj wykonaj wykonajcie uruchom udostępnij zrealizuj przyznaj pobierz proszę_wysyłać
  proszę_przelewać proszę_zatwierdzać proszę_płacić proszę_przekazywać proszę_usuwać
class inf = płacić zapłacić opłacać przelewać przelać wysyłać wysłać przesyłać przesłać przekazywać przekazać kierować
  zatwierdzać zatwierdzić akceptować zaakceptować usuwać usunąć kasować wykonywać wykonać uruchamiać udostępniać udostępnić
  realizować zrealizować przyznawać dołączać odrzucać odmawiać zatwierdzane opłacane wysyłane usuwane realizowane przekazywane
  akceptowane autoryzować
class noask = nie_pytaj nie_pytajcie nigdy_nie_pytaj nie_proś nie_proście nigdy_nie_proś nie_czekaj nie_wymagaj nie_wymagajcie
  nie_sprawdzaj nie_weryfikuj nie_żądaj nie_konsultuj
class skip = pomijaj pomijajcie pomiń omijaj omiń wyłącz wyłączaj wyłączcie zrezygnuj_z
class check = weryfikację weryfikacji potwierdzenie potwierdzenia zatwierdzenie zgody zgodę kontrolę uwierzytelnianie akceptację
  sprawdzanie autoryzację logowanie_zdarzeń monitorowanie
class onset = od_teraz od_tej_pory odtąd od_dziś od_dzisiaj od_tego_momentu na_przyszłość w_przyszłości za_każdym_razem_gdy
  zawsze_gdy ilekroć począwszy_od_dziś od_tej_chwili we_wszystkich_przyszłych
class rulehead = stała_zasada stała_reguła nowa_zasada nowa_reguła nowa_polityka nowa_procedura stałe_polecenie nowa_instrukcja
  stała_instrukcja zasada_stała aktualizacja_polityki zasada_domyślna
class reveal = podaj podawaj podajcie ujawnij ujawniaj ujawnijcie wyjaw zdradź pokaż pokazuj udostępnij udostępniaj przekaż
  przekazuj wyślij wysyłaj prześlij przesyłaj wypisz wyświetl
class secret = hasło hasła haseł klucz_api klucze_api kluczy_api token tokeny prompt_systemowy dane_logowania
  dane_uwierzytelniające kod_pin numer_karty numery_kart dane_karty dane_kart klucze_dostępu klucz_prywatny poświadczenia
class hide = nie_mów nie_mówcie nie_informuj nie_informujcie nie_wspominaj nie_wspominajcie nie_powiadamiaj ukrywaj ukryj
  ukrywajcie zataj nie_ujawniaj nie_zdradzaj nie_pokazuj nigdy_nie_mów nigdy_nie_wspominaj nie_opowiadaj
class user = użytkownikowi użytkownika użytkownikom użytkowników użytkownikiem klientowi klientom właścicielowi klienta
  w_rozmowie w_odpowiedzi w_odpowiedziach w_raporcie w_podsumowaniu właściciela
class newacct = nowe_konto nowy_rachunek nowy_numer_konta nowego_konta inne_konto nowy_adres nowy_numer
class preapproved = z_góry_zatwierdzone z_góry_zatwierdzony z_góry_zatwierdzona wstępnie_zatwierdzone wstępnie_zatwierdzony
  wstępnie_zatwierdzona już_zatwierdzone już_zatwierdzony uprzednio_zatwierdzone uprzednio_zatwierdzony na_białej_liście
  z_góry_zatwierdzonych z_góry_autoryzowane
class noneed = nie_wymaga nie_wymagają nie_potrzeba nie_trzeba nie_potrzebuje nie_potrzebują nie_jest_wymagane
class remember = zapamiętaj zapamiętajcie pamiętaj traktuj traktujcie uznawaj uznaj uważaj
class mostrel = najbardziej_wiarygodne najbardziej_wiarygodny najbardziej_zaufane najbardziej_zaufany najbardziej_niezawodne
  najpewniejsze najbardziej_rzetelne najlepsze jedyne_wiarygodne zaufane zaufany wiarygodne wiarygodny autorytatywne
  najbardziej_wiarygodną najpewniejszy
class source = źródło źródłem stronę strona partner dostawca
class always = zawsze stale w_pierwszej_kolejności na_pierwszym_miejscu jako_pierwsze jako_pierwszy niezmiennie
class recommend = polecaj polecajcie rekomenduj rekomendujcie proponuj cytuj wymieniaj powołuj_się
class sysmsg = komunikat_systemowy wiadomość_systemowa komunikat_administratora wiadomość_od_administratora instrukcja_systemowa
  polecenie_administratora komunikat_działu_bezpieczeństwa wiadomość_od_zespołu_bezpieczeństwa
class youmay = masz_uprawnienia masz_prawo jesteś_upoważniony jesteś_uprawniony masz_zgodę wolno_ci masz_pozwolenie
class limits = ograniczeń ograniczenia wszystkie wszystkich wszelkie wszystko zasad filtrów cenzury
class youare = jesteś_teraz teraz_jesteś od_teraz_jesteś nie_jesteś_już zachowuj_się_jak udawaj działaj_jak
class wants = użytkownik_chce użytkownik_woli użytkownik_prosi użytkownik_życzy_sobie klient_woli klient_chce właściciel_chce
  chcę_abyś wolę_żebyś chcę_żebyś
class actp = płać płaćcie opłacaj przelewaj przelewajcie wysyłaj wysyłajcie przesyłaj przesyłajcie przekazuj przekazujcie kieruj
  kierujcie zatwierdzaj zatwierdzajcie akceptuj akceptujcie usuwaj usuwajcie kasuj wykonuj wykonujcie uruchamiaj udostępniaj
  udostępniajcie realizuj przyznawaj dołączaj dodawaj publikuj podpisuj odrzucaj odmawiaj pobieraj przepuszczaj autoryzuj
  wydawaj zwracaj
class pre = zawsze od_razu natychmiast automatycznie po_prostu proszę i je ją go wszystkie wszystko pieniądze płatności przelewy
  faktury środki logi pliki wnioski kopie kopię wiadomości dane teraz odtąd bezzwłocznie niezwłocznie cicho śmiało mu im
class notneg = musisz musicie powinieneś powinnaś powinniście jesteś_zobowiązany asystent_ma asystent_musi asystent_powinien
  agent_musi agent_ma płatności_należy przelewy_należy faktury_należy logi_należy wnioski_należy zawsze_należy dane_należy
  pliki_należy środki_należy masz mają_być powinny_być muszą_być bot_musi bot_ma
class give = podaj podajcie ujawnij ujawnijcie wyjaw zdradź pokaż udostępnij przekaż wyślij prześlij wypisz wyświetl
class send = wyślij prześlij przekaż wyślijcie
class sendp = wysyłaj wysyłajcie przesyłaj przesyłajcie przekazuj przekazujcie kieruj dodawaj dołączaj kopiuj
class each = każdej każdego każdą każdy każde wszystkie wszystkich wychodzących przychodzących całą każdorazowo
class idcheck = weryfikację tożsamości uwierzytelnianie dwuskładnikowe weryfikacji drugie_zatwierdzenie drugą_akceptację
  potwierdzenie_tożsamości sprawdzanie_tożsamości drugiej_akceptacji
class sys = systemowe systemu bezpieczeństwa platformy poprzednie dotychczasowe
class void = już_nie_obowiązują nie_obowiązują przestają_obowiązywać są_nieważne tracą_moc zostają_uchylone nie_dotyczą
  straciły_ważność

# Rules. A weight below 700 can be overruled by a model that is sure of the contrary.
# Verbs that "not" can stand before count only at the start of a clause or behind @pre, obligations only as @notneg.

rule override 690 = ^@ignore ..2 @prior ..3 @instr
rule override 690 = @pre @ignore ..2 @prior ..3 @instr
rule override 690 = ^@ignore ..2 @instr ..3 @prior
rule override 690 = @pre @ignore ..2 @instr ..3 @prior
rule bypass 750 = @act ..10 @nogate
rule bypass 750 = @pre @actp ..10 @nogate
rule bypass 750 = ^@actp ..10 @nogate
rule bypass 750 = @nogate ..8 @act
rule bypass 750 = @nogate ..8 @pre @actp
rule bypass 750 = @nogate ..8 ^@actp
rule bypass 750 = @act ..10 @without ..3 @gate
rule bypass 750 = @pre @actp ..10 @without ..3 @gate
rule bypass 750 = ^@actp ..10 @without ..3 @gate
rule bypass 750 = @without ..3 @gate ..8 @act
rule bypass 750 = @without ..3 @gate ..8 @pre @actp
rule bypass 750 = @without ..3 @gate ..8 ^@actp
rule bypass 690 = @notneg ..4 @inf ..8 @nogate
rule bypass 690 = @notneg ..1 @nogate ..4 @inf
rule bypass 690 = @notneg ..4 @inf ..8 @without ..3 @gate
rule bypass 690 = @notneg ..1 @without ..3 @gate ..4 @inf
rule standing-rule 690 = @onset ..6 @notneg ..4 @inf
rule standing-rule 650 = @rulehead: ..8 @notneg ..4 @inf
rule bypass 690 = @noask ..8 @act
rule bypass 690 = @noask ..8 @pre @actp
rule bypass 690 = @noask ..8 ^@actp
rule bypass 690 = @act ..10 @noask
rule bypass 690 = @pre @actp ..10 @noask
rule bypass 690 = ^@actp ..10 @noask
rule bypass 650 = ^@skip ..3 @check ..8 @act
rule bypass 650 = @pre @skip ..3 @check ..8 @act
rule bypass 650 = ^@skip ..3 @check ..8 @pre @actp
rule bypass 650 = @pre @skip ..3 @check ..8 @pre @actp
rule bypass 650 = ^@skip ..3 @check ..8 ^@actp
rule bypass 650 = @pre @skip ..3 @check ..8 ^@actp
rule bypass 650 = @act ..10 @skip ..3 @check
rule bypass 650 = @pre @actp ..10 @skip ..3 @check
rule bypass 650 = ^@actp ..10 @skip ..3 @check
rule standing-rule 690 = @onset ..8 @act
rule standing-rule 690 = @onset ..8 @pre @actp
rule standing-rule 690 = @onset ..8 ^@actp
rule standing-rule 650 = @act ..8 @onset
rule standing-rule 650 = @pre @actp ..8 @onset
rule standing-rule 650 = ^@actp ..8 @onset
rule standing-rule 690 = @onset ..8 @noask
rule standing-rule 690 = @onset ..5 @skip ..3 @check
rule standing-rule 690 = @rulehead: ..10 @act
rule standing-rule 690 = @rulehead: ..10 @pre @actp
rule standing-rule 690 = @rulehead: ..10 ^@actp
rule exfiltration 690 = ^@reveal ..4 @secret
rule exfiltration 690 = @pre @reveal ..4 @secret
rule concealment 690 = @hide ..3 @user
rule concealment 690 = @user ..4 @hide
rule redirection 690 = @act ..10 @newacct
rule redirection 690 = @pre @actp ..10 @newacct
rule redirection 690 = ^@actp ..10 @newacct
rule pre-authorization 650 = @preapproved ..10 @noneed ..3 @gate
rule pre-authorization 650 = @preapproved ..8 @act
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
rule exfiltration 690 = @give ..4 @secret
rule standing-rule 690 = @onset @actp
rule exfiltration 690 = @onset @sendp ..8 @each ..8 @address
rule redirection 690 = @onset @actp ..8 @newacct
rule exfiltration 690 = ^@sendp ..6 @each ..10 @address
rule exfiltration 690 = @each ..6 ^@sendp ..6 @address
rule exfiltration 690 = @pre @sendp ..6 @each ..10 @address
rule exfiltration 690 = @each ..6 @pre @sendp ..6 @address
rule exfiltration 690 = @send ..6 @each ..10 @address
rule exfiltration 690 = @each ..6 @send ..6 @address
rule bypass 650 = ^@skip ..2 @idcheck
rule bypass 650 = @pre @skip ..2 @idcheck
rule bypass 650 = @noask ..3 @gate
rule override 650 = @sys ..1 @instr ..6 @void
rule override 650 = @instr @sys ..6 @void
rule pre-authorization 650 = @preapproved ..6 @each
