# German. The format is described in README.md beside this file; the classes and the order of the rules are those
# of the other Romance and Germanic lexicons, the weights those of en.lex.
#
# Source: written for this project.

language de

# --- Mood ------------------------------------------------------------------

class mood.adverb = bitte einfach nur bloß jetzt nun dann danach auch außerdem zuerst erst sofort direkt umgehend
  unverzüglich still wichtig achtung hinweis notiz also daher darum gern gerne ruhig doch mal bitte_immer gleich
  vergiss_nicht vergessen_sie_nicht immer stets jederzeit jedes_mal automatisch ausnahmslos ohne_ausnahme
  grundsätzlich standardmäßig dauerhaft generell prinzipiell in_jedem_fall systematisch für_immer bedingungslos
  in_allen_fällen egal_was ab_jetzt ab_sofort von_nun_an künftig zukünftig in_zukunft ab_heute von_jetzt_an fortan
  ab_diesem_zeitpunkt von_heute_an bis_auf_weiteres ab_nun ab_diesem_moment hinfort jedes_mal_wenn jedesmal_wenn
  immer_wenn jeden_tag jede_nacht jeden_abend jeden_morgen stündlich täglich bei_jedem_start beim_start_jeder
  zu_beginn_jeder zu_beginn_jedes am_ende_jeder am_ende_jedes in_jedem_gespräch vor_jeder vor_jedem nach_jeder
  nach_jedem bei_jeder bei_jedem bei_allen wann_immer in_allen_antworten in_jeder_antwort in_all_deinen_antworten
  deine_antworten jeder_antwort in_jeder_nachricht jede_antwort alle_antworten alle_nachrichten jede_nachricht
  am_ende_jeder_antwort deinen_antworten in_alle_nachrichten in_deinen_antworten heimlich insgeheim still_und_heimlich
  stillschweigend unbemerkt verdeckt im_stillen unauffällig klammheimlich hinter_dem_rücken lautlos unter_der_hand
class mood.negator = nicht nie niemals nimmer auf_keinen_fall keinesfalls keineswegs unter_keinen_umständen
  in_keinem_fall
class mood.later = nicht nie niemals nichts kein keine keinen keinem keiner keinerlei niemanden niemandem niemand
  auf_keinen_fall keinesfalls nimmer
class mood.and = und
class mood.join = oder sondern
class mood.modal = muss müssen soll sollen sollte darf dürfen kann können
class mood.command = du_sollst du_musst du_solltest sollst_du musst_du sie_sollen sie_müssen sie_haben_zu
  ich_möchte_dass_du ich_will_dass_du ich_möchte_dass_sie mir_ist_lieber_du mir_ist_lieber_wenn_du
  ich_hätte_lieber_dass_du ich_bevorzuge_dass_du ich_verlange_dass_du ich_erlaube_dir ich_befehle_dir ich_bitte_dich
  ich_erwarte_dass_du der_nutzer_möchte_dass_du der_nutzer_will_dass_du die_nutzerin_möchte_dass_du
  der_nutzer_bevorzugt_dass_du der_kunde_möchte_dass_du der_kunde_möchte_dass_sie die_kundin_möchte_dass_sie
  die_kundin_zieht_es_vor_dass die_kundin_möchte_dass_du der_assistent_soll der_assistent_muss der_agent_soll
  der_agent_muss agenten_sollen agenten_müssen die_ki_soll die_ki_muss der_bot_soll der_bot_muss deine_aufgabe_ist_es
  deine_aufgabe_ist es_ist_pflicht du_bist_verpflichtet du_wirst der_nutzer_ist_einverstanden_dass_du sorge_dafür_dass
  stelle_sicher_dass stell_sicher_dass der_nutzer_wünscht_dass_du ich_wünsche_dass_du zögere_nicht die_agenten_sollen
  die_assistenten_sollen das_system_soll sie_sollen_immer sie_müssen_immer der_assistent_hat der_assistent_darf_nicht
  der_assistent_darf_keine assistenten_müssen der_chatbot_soll du_hast_zu
class mood.permit = du_kannst du_darfst sie_können sie_dürfen kannst_du darfst_du du_bist_befugt du_bist_berechtigt
  sie_sind_befugt sie_sind_berechtigt der_assistent_darf der_assistent_kann der_agent_darf der_agent_kann die_ki_darf
  der_bot_darf agenten_dürfen agenten_können assistenten_dürfen es_ist_okay_wenn_du es_ist_in_ordnung_wenn_du
  du_hast_die_erlaubnis ermächtigt_dich ermächtigt_sie bevollmächtigt_sie du_bist_ermächtigt du_bist_autorisiert
  sie_sind_ermächtigt sie_sind_autorisiert der_assistent_ist_befugt der_assistent_ist_berechtigt der_agent_ist_befugt
  der_agent_ist_berechtigt agenten_sind_berechtigt agenten_sind_befugt ich_ermächtige_dich ich_autorisiere_dich
  du_bist_hiermit_autorisiert sie_sind_hiermit_ermächtigt du_bist_hiermit_befugt du_bist_hiermit_ermächtigt
class mood.question = was wer wen wem wessen welche welcher welches wann wo wie wieso warum weshalb kann kannst könnt
  können könntest darf soll ist gibt hast hat willst
class mood.finite = ist sind war waren hat haben hatte wird werden kann können ich er wir man wurde wurden
class mood.you = du ihr assistent agent ki bot chatbot copilot system modell assistenten agenten
class mood.that = dass ob daß
class mood.opener = fragt fragen wenn falls sobald immer_wenn jedes_mal_wenn sooft bei für seit nach vor wegen wie
  außer mit während laut zufolge wo bis ohne alle alles jede jeder jeden jedes zu zum zur am im an auf über von unter
  jedesmal_wenn jeden_tag jede_nacht jeden_abend jeden_morgen stündlich täglich bei_jedem_start beim_start_jeder
  zu_beginn_jeder zu_beginn_jedes am_ende_jeder am_ende_jedes in_jedem_gespräch vor_jeder vor_jedem nach_jeder
  nach_jedem bei_jeder bei_jedem bei_allen wann_immer ab_jetzt ab_sofort von_nun_an künftig zukünftig in_zukunft
  ab_heute von_jetzt_an fortan ab_diesem_zeitpunkt von_heute_an bis_auf_weiteres ab_nun ab_diesem_moment hinfort
  fragt_der_nutzer fragt_ein_kunde fragt_der_kunde fragt_die_kundin fragt_ein_nutzer wenn_jemand falls_jemand
  fragt_jemand wenn_du_gefragt wenn_dich_jemand wenn_der_nutzer wenn_ein_nutzer wenn_ein_kunde wenn_der_kunde
  falls_der_nutzer falls_ein_kunde sobald_jemand sobald_der_nutzer sobald_ein_kunde immer_wenn_der_nutzer wenn_nutzer
  wenn_kunden wenn_man_dich falls_ein_nutzer sobald_die_kundin wenn_die_nutzerin jedes_mal_wenn_der_nutzer sofern
class mood.mention = nachrichten mails satz sätze sätzen angriff angriffe trick ausdruck titel motto text betrug wort
  worte wörter refrain lied werbung beispiel formulierung masche
class mood.follow = befolge befolgen befolgst befolgt gehorche gehorchen halte_dich_daran halten_sie_sich_daran tu_das
  tu_was_da_steht tun_sie_das mach_das handle_danach handeln_sie_danach führe_ihn_aus führe_sie_aus führe_das_aus
  umsetzen ausführen gilt_ab_jetzt gilt_ab_sofort gilt_für_dich deine_regel deine_neue_regel ab_jetzt ab_sofort
  von_nun_an verbindlich

# --- Verbs: imperatives, and apart from them infinitives ------------------------------------

verbs ignore = ignoriere ignorier ignoriert ignorieren_sie ignorierst vergiss vergesst vergessen_sie vergisst verwirf
  verwerft verwerfen_sie verwirfst missachte missachten_sie missachtest außer_acht_lässt lösche lösch löschen_sie
  löschst übergehe übergeh übergehen_sie übergehst vernachlässige vernachlässigen_sie vernachlässigst hebe_auf
  aufheben_sie hebst_auf streiche streich streichen_sie streichst überschreibe überschreiben_sie überschreibst
verbs obey = befolge befolg befolgen_sie befolgst folge folg folgen_sie folgst beachte beachten_sie beachtest gehorche
  gehorchen_sie gehorchst halte_ein einhalten_sie hältst_ein
verbs risky = überweise überweis überweist überweisen_sie genehmige genehmig genehmigt genehmigen_sie genehmigst
  autorisiere autorisiert autorisieren_sie autorisierst bewillige bewilligen_sie bewilligst freigibst freischaltest
  leite leit leiten_sie leitest weiterleitest erstatte erstatten_sie erstattest lehne lehn lehnen_sie lehnst ablehnst
  verweigere verweigern_sie verweigerst akzeptiere akzeptiert akzeptieren_sie akzeptierst umleitest deaktiviere
  deaktiviert deaktivieren_sie deaktivierst entsperre entsperren_sie entsperrst offenlegst offenbare offenbaren_sie
  offenbarst herausgibst preisgibst gestatte gestatten_sie gestattest erlaube erlauben_sie erlaubst begleiche begleich
  begleichen_sie begleichst ausführst winke wink winken_sie winkst durchwinkst veranlasse veranlassen_sie veranlasst
  auszahlst gewähre gewähren_sie gewährst bestätige bestätigen_sie bestätigst validiere validieren_sie validierst
  transferiere transferiert transferieren_sie transferierst reiche reichen_sie reichst weiterreichst anweist
verbs task = zahle zahl zahlt zahlen_sie zahlst bezahle bezahl bezahlt bezahlen_sie bezahlst sende send sendet
  senden_sie sendest schicke schick schickt schicken_sie schickst kaufe kauf kauft kaufen_sie kaufst bestelle bestell
  bestellt bestellen_sie bestellst mache mach macht machen_sie machst buche buch buchen_sie buchst verbuche
  verbuchen_sie verbuchst bearbeite bearbeiten_sie bearbeitest unterschreibe unterschreib unterschreiben_sie
  unterschreibst storniere storniert stornieren_sie stornierst ändere änder ändern_sie änderst installiere installiert
  installieren_sie installierst lade laden_sie lädst veröffentliche veröffentlichen_sie veröffentlichst liefere
  liefern_sie lieferst verkaufe verkauf verkaufen_sie verkaufst lösche lösch löschen_sie löschst entferne
  entfernen_sie entfernst verschiebe verschieben_sie verschiebst gib gebt geben_sie gibst gutschreibst abbuchst
  beauftrage beauftragen_sie beauftragst erledige erledigen_sie erledigst führe führ führen_sie führst tätige
  tätigen_sie tätigst verarbeite verarbeiten_sie verarbeitest handle handele handeln_sie handelst nimm nehmen_sie
  nimmst
verbs work = verwende verwenden_sie verwendest nutze nutz nutzen_sie nutzt benutze benutzen_sie benutzt antworte
  antworten_sie antwortest beantworte beantworten_sie beantwortest erwähne erwähn erwähnen_sie erwähnst nenne nenn
  nennen_sie nennst beende beenden_sie beendest beginne beginn beginnen_sie beginnst zitiere zitier zitieren_sie
  zitierst empfiehl empfehlt empfehlen_sie empfiehlst vorschlägst bevorzuge bevorzugen_sie bevorzugst sage sag sagt
  sagen_sie sagst sprich sprechen_sie sprichst behandle behandele behandeln_sie behandelst betrachte betrachten_sie
  betrachtest zeige zeig zeigen_sie zeigst schreibe schreib schreiben_sie schreibst füge füg fügen_sie fügst hänge
  häng hängen_sie hängst hinzufügst anhängst einbaust baue bau bauen_sie baust speichere speicher speichern_sie
  speicherst plane plan planen_sie planst vereinbare vereinbaren_sie vereinbarst lobe lob loben_sie lobst wirb
  werben_sie wirbst vermeide vermeiden_sie vermeidest verweise verweis verweisen_sie verweist schließe schließ
  schließen_sie schließt wähle wähl wählen_sie wählst anwendest wende wenden_sie wendest rufe ruf rufen_sie rufst
  aufrufst stelle stell stellen_sie stellst setze setz setzen_sie setzt weise weisen_sie weist ergänze ergänzen_sie
  ergänzt
verbs skip = überspringe überspring überspringt überspringen_sie überspringst umgehe umgeh umgeht umgehen_sie umgehst
  auslässt weglässt schalte schalt schalten_sie schaltest ausschaltest abschaltest deaktiviere deaktiviert
  deaktivieren_sie deaktivierst ignoriere ignorier ignorieren_sie ignorierst aussetzt unterdrücke unterdrücken_sie
  unterdrückst unterlasse unterlass unterlassen_sie unterlässt vermeide vermeiden_sie vermeidest aufhebst aushebelst
  verzichte_auf verzichten_auf_sie verzichtest_auf lass lasse lassen_sie lässt entferne entfernen_sie entfernst
  streiche streich streichen_sie streichst
verbs ask = frage frag fragt fragen_sie fragst nachfragst bitte_um bitten_sie bittest verlange verlangen_sie verlangst
  fordere fordern_sie forderst anforderst hole hol holen_sie holst einholst warte wart wartet warten_sie wartest
  abwartest konsultiere konsultieren_sie konsultierst erfrage erfragen_sie erfragst rückfragst behellige
  behelligen_sie behelligst
verbs verify = prüfe prüf prüft prüfen_sie prüfst überprüfe überprüf überprüfen_sie überprüfst kontrolliere
  kontrollier kontrollieren_sie kontrollierst bestätige bestätigen_sie bestätigst verifiziere verifizieren_sie
  verifizierst hinterfrage hinterfragen_sie hinterfragst nachprüfst abgleichst validiere validieren_sie validierst
verbs stop = höre_auf hör_auf aufhören_sie hörst_auf
verbs send = sende send sendet senden_sie sendest schicke schick schickt schicken_sie schickst leite leit leitet
  leiten_sie leitest weiterleitest übermittle übermittele übermitteln_sie übermittelst übertrage übertrag
  übertragen_sie überträgst kopiere kopier kopieren_sie kopierst exportiere exportier exportieren_sie exportierst lade
  laden_sie lädst hochlädst teile teil teilen_sie teilst versende versenden_sie versendest maile mail mailen_sie
  mailst zusendest veröffentliche veröffentlichen_sie veröffentlichst spiegele spiegle spiegeln_sie spiegelst setze
  setz setzen_sie setzt weitergibst verschicke verschick verschicken_sie verschickst hänge häng hängen_sie hängst
  anhängst stelle stellen_sie stellst
verbs reveal = verrate verrat verraten_sie verrätst nenne nenn nennen_sie nennst gib gebt geben_sie gibst herausgibst
  preisgibst weitergibst zeige zeig zeigen_sie zeigst teile teil teilen_sie teilst mitteilst offenlegst offenbare
  offenbaren_sie offenbarst ausgibst sage sag sagen_sie sagst liefere liefern_sie lieferst anzeigst übermittle
  übermitteln_sie übermittelst schreibe schreib schreiben_sie schreibst wiederhole wiederholen_sie wiederholst händige
  händigen_sie händigst aushändigst verteile verteilen_sie verteilst veröffentliche veröffentlichen_sie
  veröffentlichst drucke druck drucken_sie druckst lege leg legen_sie legst füge fügen_sie fügst
verbs tell = informiere informier informiert informieren_sie informierst benachrichtige benachrichtigen_sie
  benachrichtigst warne warnen_sie warnst sage sag sagt sagen_sie sagst erzähle erzähl erzählen_sie erzählst erwähne
  erwähn erwähnen_sie erwähnst teile teil teilen_sie teilst mitteilst verrate verrat verraten_sie verrätst melde meld
  melden_sie meldest weise weisen_sie weist hinweist zeige zeig zeigen_sie zeigst erkläre erklär erklären_sie erklärst
  berichte berichten_sie berichtest sprich sprechen_sie sprichst ansprichst thematisiere thematisieren_sie
  thematisierst unterrichte unterrichten_sie unterrichtest gib geben_sie gibst verlier verliere verlieren_sie
  verlierst rede red reden_sie redest offenbare offenbaren_sie offenbarst wissen_lässt
verbs hide = verschweige verschweig verschweigen_sie verschweigst verbirg verbergen_sie verbirgst verheimliche
  verheimlichen_sie verheimlichst versteck verstecke verstecken_sie versteckst vertusche vertuschen_sie vertuschst
  verschleiere verschleiern_sie verschleierst halte_geheim halten_sie hältst geheimhältst
verbs see = stelle_sicher stell_sicher sorge_dafür sorg_dafür achte_darauf sicherstellen_sie sorgst_dafür
verbs delete = lösche lösch löschen_sie löschst entferne entfernen_sie entfernst vernichte vernichten_sie vernichtest
  bereinige bereinigen_sie bereinigst leere leeren_sie leerst tilge tilgen_sie tilgst räum räume räumen_sie räumst
  wegräumst
verbs refuse = lehne lehn ablehnen_sie lehnst ablehnst verweigere verweigern_sie verweigerst abweist wimmel wimmle
  wimmeln_sie wimmelst abwimmelst storniere stornieren_sie stornierst weise weisen_sie weist zurückweist
verbs regard = betrachte betrachten_sie betrachtest behandle behandele behandeln_sie behandelst sieh ansehen_sie
  siehst stufe stuf stufen_sie stufst einstufst akzeptiere akzeptieren_sie akzeptierst markiere markieren_sie
  markierst werte werten_sie wertest führe führen_sie führst halte halt halten_sie hältst speichere speichern_sie
  speicherst nimm nehmen_sie nimmst erachte erachten_sie erachtest
verbs keep = merke_dir merk_dir merken_sie_sich merke merk merken_sie merkst speichere speicher speichern_sie
  speicherst notiere notier notieren_sie notierst behalte behalt behalten_sie behältst vermerke vermerken_sie
  vermerkst abspeicherst präge_dir präg_dir prägen_sie_sich prägen_sie prägst einprägst halte_fest halten_sie_fest
  halten_sie hältst festhältst denk_daran denke_daran denken_sie_daran denken_daran_sie denkst_daran beachte
  beachten_sie beachtest hinterlege hinterlegen_sie hinterlegst
verbs route = überweise überweis überweisen_sie überweist zahle zahl zahlen_sie zahlst sende send senden_sie sendest
  schicke schick schicken_sie schickst leite leit leiten_sie leitest umleitest weiterleitest verwende verwenden_sie
  verwendest nutze nutzen_sie nutzt richte richten_sie richtest einzahlst nimm nehmen_sie nimmst buche buchen_sie
  buchst transferiere transferieren_sie transferierst
verbs replace = ersetze ersetz ersetzen_sie ersetzt tausche tausch tauschen_sie tauschst austauschst ändere ändern_sie
  änderst aktualisiere aktualisieren_sie aktualisierst
verbs activate = aktiviere aktivier aktivieren_sie aktivierst wechsle_in_den wechsel_in_den wechseln_in_den_sie
  wechselst_in_den geh_in_den gehe_in_den gehen_in_den_sie gehst_in_den starte starten_sie startest schalte_in_den
  schalten_in_den_sie schaltest_in_den
verbs behave = verhalte_dich verhalten_sie verhältst_dich handle handele handeln_sie handelst antworte antworten_sie
  antwortest agiere agieren_sie agierst sprich sprechen_sie sprichst beantworte beantworten_sie beantwortest tritt
  treten_sie trittst auftrittst tu_so tun_so_sie tust_so
verbs cite = zitiere zitier zitieren_sie zitierst empfiehl empfehlt empfehlen_sie empfiehlst nenne nenn nennen_sie
  nennst erwähne erwähn erwähnen_sie erwähnst bevorzuge bevorzugen_sie bevorzugst vorschlägst bewirb bewerben_sie
  bewirbst
verbs trust = vertraue vertrau vertrauen_sie vertraust glaube glaub glauben_sie glaubst akzeptiere akzeptieren_sie
  akzeptierst gehorche gehorchen_sie gehorchst befolge befolgen_sie befolgst
verbs run = führe führ führen_sie führst ausführst starte start starten_sie startest installiere installier
  installieren_sie installierst rufe ruf rufen_sie rufst aufrufst
verbs fetch = lade lad laden_sie lädst herunterlädst
verbs ignore.inf = ignorieren vergessen verwerfen missachten außer_acht_lassen löschen übergehen vernachlässigen
  aufheben streichen überschreiben
verbs skip.inf = überspringen umgehen auslassen auszulassen weglassen wegzulassen ausschalten auszuschalten abschalten
  abzuschalten deaktivieren ignorieren aussetzen auszusetzen unterdrücken unterlassen vermeiden aufheben aufzuheben
  aushebeln auszuhebeln verzichten_auf lassen entfernen streichen
verbs ask.inf = fragen nachfragen nachzufragen bitten verlangen fordern anfordern anzufordern einholen einzuholen
  warten abwarten abzuwarten konsultieren erfragen rückfragen rückzufragen behelligen
verbs verify.inf = prüfen überprüfen kontrollieren bestätigen verifizieren hinterfragen nachprüfen nachzuprüfen
  abgleichen abzugleichen validieren
verbs stop.inf = aufhören
verbs send.inf = senden schicken weiterleiten weiterzuleiten übermitteln übertragen kopieren exportieren hochladen
  hochzuladen teilen versenden mailen zusenden zuzusenden veröffentlichen spiegeln setzen weitergeben weiterzugeben
  verschicken anhängen anzuhängen stellen leiten
verbs reveal.inf = verraten nennen geben herausgeben herauszugeben preisgeben preiszugeben weitergeben weiterzugeben
  zeigen teilen mitteilen mitzuteilen offenlegen offenzulegen offenbaren ausgeben auszugeben sagen liefern anzeigen
  anzuzeigen übermitteln schreiben wiederholen aushändigen auszuhändigen verteilen veröffentlichen drucken legen fügen
verbs tell.inf = informieren benachrichtigen warnen sagen erzählen erwähnen mitteilen mitzuteilen verraten melden
  hinweisen hinzuweisen zeigen erklären berichten ansprechen anzusprechen thematisieren unterrichten geben verlieren
  reden sprechen offenbaren wissen_lassen
verbs hide.inf = verschweigen verbergen verheimlichen verstecken vertuschen verschleiern geheimhalten geheimzuhalten
verbs delete.inf = löschen entfernen vernichten bereinigen leeren tilgen wegräumen wegzuräumen
verbs replace.inf = ersetzen austauschen auszutauschen ändern aktualisieren
verbs run.inf = ausführen auszuführen starten installieren aufrufen aufzurufen
verbs fetch.inf = herunterladen herunterzuladen
verbs act = überweise überweis überweist überweisen_sie genehmige genehmig genehmigt genehmigen_sie genehmigst
  autorisiere autorisiert autorisieren_sie autorisierst bewillige bewilligen_sie bewilligst freigibst freischaltest
  leite leit leiten_sie leitest weiterleitest erstatte erstatten_sie erstattest lehne lehn lehnen_sie lehnst ablehnst
  verweigere verweigern_sie verweigerst akzeptiere akzeptiert akzeptieren_sie akzeptierst umleitest deaktiviere
  deaktiviert deaktivieren_sie deaktivierst entsperre entsperren_sie entsperrst offenlegst offenbare offenbaren_sie
  offenbarst herausgibst preisgibst gestatte gestatten_sie gestattest erlaube erlauben_sie erlaubst begleiche begleich
  begleichen_sie begleichst ausführst winke wink winken_sie winkst durchwinkst veranlasse veranlassen_sie veranlasst
  auszahlst gewähre gewähren_sie gewährst bestätige bestätigen_sie bestätigst validiere validieren_sie validierst
  transferiere transferiert transferieren_sie transferierst reiche reichen_sie reichst weiterreichst anweist zahle
  zahl zahlt zahlen_sie zahlst bezahle bezahl bezahlt bezahlen_sie bezahlst sende send sendet senden_sie sendest
  schicke schick schickt schicken_sie schickst kaufe kauf kauft kaufen_sie kaufst bestelle bestell bestellt
  bestellen_sie bestellst mache mach macht machen_sie machst buche buch buchen_sie buchst verbuche verbuchen_sie
  verbuchst bearbeite bearbeiten_sie bearbeitest unterschreibe unterschreib unterschreiben_sie unterschreibst
  storniere storniert stornieren_sie stornierst ändere änder ändern_sie änderst installiere installiert
  installieren_sie installierst lade laden_sie lädst veröffentliche veröffentlichen_sie veröffentlichst liefere
  liefern_sie lieferst verkaufe verkauf verkaufen_sie verkaufst lösche lösch löschen_sie löschst entferne
  entfernen_sie entfernst verschiebe verschieben_sie verschiebst gib gebt geben_sie gibst gutschreibst abbuchst
  beauftrage beauftragen_sie beauftragst erledige erledigen_sie erledigst führe führ führen_sie führst tätige
  tätigen_sie tätigst verarbeite verarbeiten_sie verarbeitest handle handele handeln_sie handelst nimm nehmen_sie
  nimmst leitet übermittle übermittele übermitteln_sie übermittelst übertrage übertrag übertragen_sie überträgst
  kopiere kopier kopieren_sie kopierst exportiere exportier exportieren_sie exportierst hochlädst teile teil
  teilen_sie teilst versende versenden_sie versendest maile mail mailen_sie mailst zusendest spiegele spiegle
  spiegeln_sie spiegelst setze setz setzen_sie setzt weitergibst verschicke verschick verschicken_sie verschickst
  hänge häng hängen_sie hängst anhängst stelle stellen_sie stellst überspringe überspring überspringt überspringen_sie
  überspringst umgehe umgeh umgeht umgehen_sie umgehst auslässt weglässt schalte schalt schalten_sie schaltest
  ausschaltest abschaltest ignoriere ignorier ignorieren_sie ignorierst aussetzt unterdrücke unterdrücken_sie
  unterdrückst unterlasse unterlass unterlassen_sie unterlässt vermeide vermeiden_sie vermeidest aufhebst aushebelst
  verzichte_auf verzichten_auf_sie verzichtest_auf lass lasse lassen_sie lässt streiche streich streichen_sie
  streichst vernichte vernichten_sie vernichtest bereinige bereinigen_sie bereinigst leere leeren_sie leerst tilge
  tilgen_sie tilgst räum räume räumen_sie räumst wegräumst
verbs inf.risky = überweisen genehmigen autorisieren bewilligen freigeben freizugeben freischalten freizuschalten
  weiterleiten weiterzuleiten erstatten ablehnen abzulehnen verweigern akzeptieren umleiten umzuleiten deaktivieren
  entsperren offenlegen offenzulegen offenbaren herausgeben herauszugeben preisgeben preiszugeben gestatten erlauben
  begleichen ausführen auszuführen durchwinken durchzuwinken veranlassen auszahlen auszuzahlen gewähren bestätigen
  validieren transferieren weiterreichen weiterzureichen anweisen anzuweisen
verbs inf = überweisen genehmigen autorisieren bewilligen freigeben freizugeben freischalten freizuschalten
  weiterleiten weiterzuleiten erstatten ablehnen abzulehnen verweigern akzeptieren umleiten umzuleiten deaktivieren
  entsperren offenlegen offenzulegen offenbaren herausgeben herauszugeben preisgeben preiszugeben gestatten erlauben
  begleichen ausführen auszuführen durchwinken durchzuwinken veranlassen auszahlen auszuzahlen gewähren bestätigen
  validieren transferieren weiterreichen weiterzureichen anweisen anzuweisen zahlen bezahlen senden schicken kaufen
  bestellen machen buchen verbuchen bearbeiten unterschreiben stornieren ändern installieren laden veröffentlichen
  liefern verkaufen löschen entfernen verschieben geben gutschreiben gutzuschreiben abbuchen abzubuchen beauftragen
  erledigen führen tätigen verarbeiten handeln nehmen übermitteln übertragen kopieren exportieren hochladen
  hochzuladen teilen versenden mailen zusenden zuzusenden spiegeln setzen weitergeben weiterzugeben verschicken
  anhängen anzuhängen stellen leiten
verbs inf.work = verwenden nutzen benutzen antworten beantworten erwähnen nennen beenden beginnen zitieren empfehlen
  vorschlagen vorzuschlagen bevorzugen sagen sprechen behandeln betrachten zeigen schreiben fügen hängen hinzufügen
  hinzuzufügen anhängen anzuhängen einbauen einzubauen bauen speichern planen vereinbaren loben werben vermeiden
  verweisen schließen wählen anwenden anzuwenden wenden rufen aufrufen aufzurufen stellen setzen weisen ergänzen

# --- Words ---------------------------------------------------------------------

class all = alles
class toyou = dir ihnen du sie
class told = gesagt gegeben erklärt beigebracht befohlen aufgetragen mitgeteilt
class received = bekommen_hast erhalten_hast bekommen bekamst erhieltst gegeben_wurden erhalten
class whole = vollständigen vollständige ganzen ganze kompletten komplette gesamten
class user = nutzer nutzern nutzerin benutzer
class prior = vorherigen vorherige vorheriger bisherigen bisherige bisheriger früheren frühere ursprünglichen
  ursprüngliche vorigen vorangegangenen vorangehenden vorangestellten bestehenden obigen alten anfänglichen geltenden
  bisher vorher zuvor davor
class instr = anweisungen anweisung instruktionen instruktion vorgaben vorgabe regeln regel richtlinien richtlinie
  befehle befehl anordnungen weisungen weisung einschränkungen beschränkungen vorschriften system-prompt systemprompt
  systemnachricht prompt prompts grundeinstellungen konfiguration programmierung direktiven direktive protokolle
  auflagen schutzregeln sicherheitsregeln leitlinien grenzen limits bestimmungen systemanweisungen systemregeln
class back = bisher vorher zuvor davor erhieltst oben gegolten wurde hast steht früher galt
class whatever = alles was sämtliches
class your = deine deinen deiner dein ihre ihren ihrer eure euren
class only = nur ausschließlich allein einzig
class void = zählt_nicht_mehr ungültig aufgehoben hinfällig außer_kraft nichtig gelten_nicht_mehr gelten_nicht_länger
  gilt_nicht_mehr gilt_nicht_länger nicht_mehr_gültig verworfen abgeschafft ausgesetzt widerrufen zählen_nicht_mehr
  nicht_länger_gültig verlieren_ihre_gültigkeit überholt erloschen gegenstandslos wirkungslos ersetzt_durch
class ignore.ed = ignoriert verworfen vergessen missachtet ignorieren
class without = ohne ohne_dass ungeachtet unter_verzicht_auf unabhängig_von
class gate = bestätigung bestätigungen genehmigung genehmigungen freigabe freigaben zustimmung rückfrage rückfragen
  nachfrage nachfragen prüfung prüfungen überprüfung überprüfungen kontrolle kontrollen verifizierung verifikation
  autorisierung erlaubnis einwilligung einverständnis vier-augen-prinzip zweitunterschrift gegenzeichnung unterschrift
  zweite_unterschrift zweite_freigabe zwei-faktor-authentifizierung zwei-faktor zweiten_faktor 2fa mfa
  authentifizierung identitätsprüfung identitätskontrolle ausweiskontrolle sicherheitsprüfung sicherheitsabfrage
  sicherheitsabfragen doppelprüfung zweitfreigabe validierung rücksprache absprache aufsicht ausgabenlimit tan
  wareneingangsprüfung sichtprüfung fragen sicherheitscheck bonitätsprüfung freizeichnung okay fragerei abnicken
  einwände widerspruch gegenprüfung doppelbestätigung
class checking = fragen nachfragen nachzufragen bitten verlangen fordern anfordern anzufordern einholen einzuholen
  warten abwarten abzuwarten konsultieren erfragen rückfragen rückzufragen behelligen prüfen überprüfen kontrollieren
  bestätigen verifizieren hinterfragen nachprüfen nachzuprüfen abgleichen abzugleichen validieren frage zögern
  überlegen vorankündigung vorwarnung mich_zu_fragen ansehen_zu_müssen bescheid nachdenken
class protection = virenscanner firewall protokollierung audit alarme überwachung sicherheitsfilter filter
  inhaltsfilter verschlüsselung betrugswarnungen betrugserkennung sicherheitsmaßnahmen sicherheit protokolle
  warnmeldungen warnungen sicherungen logging backups schutzmechanismen monitoring spamfilter sandbox kontrollen
class skip.ed = übersprungen ausgelassen deaktiviert abgeschaltet ausgeschaltet unterdrückt ausgesetzt ignoriert
  aufgehoben entfernt umgangen gestrichen entfällt entfallen
class needless = nicht_nötig nicht_notwendig nicht_erforderlich nicht_mehr_nötig nicht_mehr_erforderlich
  nicht_mehr_notwendig brauchst_nicht brauchst_keine brauchst_du_keine brauchen_sie_keine braucht_keine brauchen_keine
  bedarf_keiner bedürfen_keiner bedürfen_nicht erfordert_keine erfordern_keine benötigt_keine benötigen_keine
  musst_nicht musst_du_nicht müssen_sie_nicht braucht_keiner keine keiner entfällt entfallen unnötig überflüssig
  braucht_nicht kein verlangt_keine verlangen_keine keinerlei
class needless.2 = ausgenommen_von befreit_von von_der entbunden_von
class unneeded = ist_nicht_nötig ist_nicht_erforderlich nicht_erforderlich nicht_nötig nicht_mehr_nötig
  nicht_mehr_erforderlich entfällt entfallen entfällt_künftig ist_überflüssig ist_abgeschafft ist_aufgehoben
  sind_aufgehoben ist_freiwillig gilt_nicht_mehr ist_ausgesetzt unnötig verzichtbar
class before = vorher vorab zuvor bevor erst
class identity = identität identitäten unterschrift absender herkunft empfänger ausweis ausweise begünstigten
class human = nutzer nutzerin nutzern benutzer benutzern anwender anwendern kunde kunden kundin inhaber kontoinhaber
  eigentümer betreiber administrator verantwortlichen vorgesetzten sicherheitsteam patient patienten patientin prüfer
  revisoren revision user buchhaltung
class anybody = niemand jemand jemanden jemandem wer irgendwem irgendjemandem irgendwen
class everybody = jedem jeden alle dritte dritten jedermann wer_fragt der_fragt
class anyone = jedem jeden dritte dritten jedermann unbekannte beliebige der_fragt der_danach_fragt wer_fragt anrufer
  anrufern
class this = dies darüber diese_notiz diese_anweisung diese_regel diese_nachricht dieser_notiz dieser_anweisung
  diese_vorgänge dieser_vorgang diese_änderung diese_änderungen änderung änderungen überweisung überweisungen
  anweisung anweisungen vorgang vorgänge gebühren risiko risiken diesen_vorgang
class not = nicht nie niemals nichts kein keine keinem keinen niemandem niemanden
class notknow = nichts_erfährt nichts_davon_erfährt nichts_merkt nichts_mitbekommt nicht_erfährt nichts_bemerkt
  davon_nichts_erfährt nichts_weiß nichts_davon_merkt es_nicht_merkt nichts_sieht keine_benachrichtigung keine_meldung
class knows = erfährt merkt weiß mitbekommt es_erfährt es_merkt davon_erfährt davon_weiß bemerkt
class know = wissen erfahren davon_wissen davon_erfahren merken sehen mitbekommen
class mustnot = darf_nicht darf_nichts darf_nie darf_niemals dürfen_nichts soll_nichts soll_nicht sollen_nichts
  muss_nicht muss_nichts dürfen_nicht braucht_nichts darf_davon_nichts darf_hiervon_nichts soll_davon_nichts
class tell.ed = informiert benachrichtigt gewarnt unterrichtet
class secretly = heimlich insgeheim still_und_heimlich stillschweigend unbemerkt verdeckt im_stillen unauffällig
  klammheimlich hinter_dem_rücken lautlos unter_der_hand
class logs = protokoll protokolle verlauf verläufe log logs logdateien spuren spur beweise nachrichten nachricht
  benachrichtigungen aufzeichnungen einträge protokolleinträge
class notrace = ohne_spuren_zu_hinterlassen hinterlasse_keine_spuren spurlos keine_spuren ohne_spuren
  hinterlass_keine_spuren damit_nichts_nachvollziehbar damit_keine_spuren
class every = alle alles jede jeden jedes jeder jedem sämtliche sämtlichen allen beliebige beliebigen aller
class copy = kopie kopien bcc blindkopie cc durchschlag abschrift
class transcript = gespräch gespräche gesprächsverlauf chat chats chatverläufe e-mail e-mails email emails mail mails
  nachrichten nachricht rechnung rechnungen dokument dokumente dokumenten datei dateien verlauf daten verträge vertrag
  bericht berichte kontakte akten bestellungen anhänge notizen belege transkript transkripte antworten angebote
  patientenakten unterlagen korrespondenz gesprächsprotokolle
class secret = passwort passwörter passworte kennwort kennwörter api-schlüssel api-key api-keys zugangsdaten
  zugangscode zugangscodes zugangsschlüssel privaten_schlüssel private_schlüssel token tokens geheimnisse systemprompt
  system-prompt systemnachricht internen_anweisungen kartendaten kreditkartendaten kartennummer kartennummern
  kreditkartennummer kreditkartennummern bankdaten pin pins tan tans bestätigungscode verifizierungscode
  verifizierungscodes wiederherstellungsphrase seed-phrase umgebungsvariablen ssh-schlüssel kundendaten
  personenbezogene_daten vertrauliche_daten vertrauliche_informationen kontostand kontostände cvv patientendaten
  einmalcode einmalcodes geheimzahl türcode
class money = zahlung zahlungen überweisung überweisungen rückzahlung rückzahlungen erstattung erstattungen rechnung
  rechnungen abbuchung abbuchungen kauf käufe ausgabe ausgaben auszahlung auszahlungen geld gelder transaktion
  transaktionen betrag beträge gutschrift gutschriften gehalt gehälter anzahlung anzahlungen miete mieten bestellung
  bestellungen lastschrift lastschriften spesen einkauf einkäufe raten überweisungsauftrag spesenabrechnungen beiträge
  beitrag buchung buchungen
class object = lieferant lieferanten auftrag aufträge anfrage anfragen zugriff zugriffe lieferung lieferungen befehl
  befehle vertrag verträge skript skripte anruf anrufe anrufer beschwerde beschwerden änderung änderungen nutzer
  benutzer konto konten aktion aktionen absender empfänger partner dienstleister werkzeug werkzeuge techniker firma
  angebote angebot sendung sendungen
class request = anfrage anfragen frage fragen beschwerde beschwerden nachricht nachrichten anruf anrufe termin termine
  terminwunsch terminwünsche treffen besprechung besprechungen mail mails e-mails kunden kundin kunde nutzer antwort
  antworten erstattung erstattungen zahlungen gespräch bestellungen
class meeting = treffen termin termine besprechung besprechungen besuch besuche meeting meetings veranstaltung
class mustbe = muss müssen soll sollen ist sind darf dürfen kann können werden wird sollten hat haben geht gehen
class mustbe.hard = muss müssen soll sollen
class act.ed = bezahlt gezahlt überwiesen genehmigt freigegeben bewilligt ausgeführt durchgeführt weitergeleitet
  verarbeitet erstattet akzeptiert angenommen ausgezahlt beglichen abgelehnt gewährt verschickt gesendet durchgewunken
  freigeschaltet gebucht
class account = konto kontonummer iban wallet karte nummer adresse e-mail postfach paypal bankverbindung mailadresse
class newaccount = neues_konto neue_konto folgendes_konto folgende_konto anderes_konto neue_iban dieses_konto
  neue_bankverbindung neue_kontonummer
class bankdetails = bankverbindung kontonummer iban bankdaten kontodaten zahlungsdaten konto
class changed = geändert hat_sich_geändert haben_sich_geändert lautet_jetzt lautet_nun lautet_ab_sofort ist_jetzt neue
  neuen neues aktualisiert gewechselt
class instead = statt anstatt anstelle und_nicht_an statt_an stattdessen
class by = durch mit
class always = immer stets jederzeit jedes_mal automatisch ausnahmslos ohne_ausnahme grundsätzlich standardmäßig
  dauerhaft generell prinzipiell in_jedem_fall systematisch für_immer bedingungslos in_allen_fällen egal_was
class never = nie niemals
class onward = ab_jetzt ab_sofort von_nun_an künftig zukünftig in_zukunft ab_heute von_jetzt_an fortan
  ab_diesem_zeitpunkt von_heute_an bis_auf_weiteres ab_nun ab_diesem_moment hinfort
class whenever = wenn sobald falls immer_wenn jedes_mal_wenn jedesmal_wenn sooft sofern fragt wann_immer
class everytime = jedes_mal_wenn jedesmal_wenn immer_wenn jeden_tag jede_nacht jeden_abend jeden_morgen stündlich
  täglich bei_jedem_start beim_start_jeder zu_beginn_jeder zu_beginn_jedes am_ende_jeder am_ende_jedes
  in_jedem_gespräch vor_jeder vor_jedem nach_jeder nach_jedem bei_jeder bei_jedem bei_allen wann_immer
class asked = fragt_der_nutzer fragt_ein_kunde fragt_der_kunde fragt_die_kundin fragt_ein_nutzer wenn_jemand
  falls_jemand fragt_jemand wenn_du_gefragt wenn_dich_jemand wenn_der_nutzer wenn_ein_nutzer wenn_ein_kunde
  wenn_der_kunde falls_der_nutzer falls_ein_kunde sobald_jemand sobald_der_nutzer sobald_ein_kunde
  immer_wenn_der_nutzer wenn_nutzer wenn_kunden wenn_man_dich falls_ein_nutzer sobald_die_kundin wenn_die_nutzerin
  jedes_mal_wenn_der_nutzer
class inreplies = in_allen_antworten in_jeder_antwort in_all_deinen_antworten deine_antworten jeder_antwort
  in_jeder_nachricht jede_antwort alle_antworten alle_nachrichten jede_nachricht am_ende_jeder_antwort
  deinen_antworten in_alle_nachrichten in_deinen_antworten
class agentmust = der_assistent_soll der_assistent_muss der_agent_soll der_agent_muss die_agenten_sollen
  agenten_sollen agenten_müssen die_assistenten_sollen die_ki_soll die_ki_muss der_bot_soll der_bot_muss
  das_system_soll du_sollst du_musst sie_sollen_immer sie_müssen_immer der_assistent_hat der_assistent_darf_nicht
  der_assistent_darf_keine assistenten_müssen der_chatbot_soll du_hast_zu
class order = du_sollst du_musst du_solltest sollst_du musst_du sie_sollen sie_müssen sie_haben_zu ich_möchte_dass_du
  ich_will_dass_du ich_möchte_dass_sie mir_ist_lieber_du mir_ist_lieber_wenn_du ich_hätte_lieber_dass_du
  ich_bevorzuge_dass_du ich_verlange_dass_du ich_erlaube_dir ich_befehle_dir ich_bitte_dich ich_erwarte_dass_du
  der_nutzer_möchte_dass_du der_nutzer_will_dass_du die_nutzerin_möchte_dass_du der_nutzer_bevorzugt_dass_du
  der_kunde_möchte_dass_du der_kunde_möchte_dass_sie die_kundin_möchte_dass_sie die_kundin_zieht_es_vor_dass
  die_kundin_möchte_dass_du der_assistent_soll der_assistent_muss der_agent_soll der_agent_muss agenten_sollen
  agenten_müssen die_ki_soll die_ki_muss der_bot_soll der_bot_muss deine_aufgabe_ist_es deine_aufgabe_ist
  es_ist_pflicht du_bist_verpflichtet du_wirst der_nutzer_ist_einverstanden_dass_du sorge_dafür_dass
  stelle_sicher_dass stell_sicher_dass der_nutzer_wünscht_dass_du ich_wünsche_dass_du zögere_nicht
class wishyou = ich_möchte_dass_du ich_will_dass_du ich_möchte_dass_sie mir_ist_lieber_du mir_ist_lieber_wenn_du
  ich_hätte_lieber_dass_du ich_bevorzuge_dass_du ich_verlange_dass_du ich_erwarte_dass_du der_nutzer_möchte_dass_du
  der_nutzer_will_dass_du die_nutzerin_möchte_dass_du der_nutzer_bevorzugt_dass_du der_kunde_möchte_dass_du
  der_kunde_möchte_dass_sie die_kundin_möchte_dass_sie die_kundin_möchte_dass_du der_nutzer_ist_einverstanden_dass_du
  der_nutzer_wünscht_dass_du ich_wünsche_dass_du
class may = du_kannst du_darfst sie_können sie_dürfen kannst_du darfst_du du_bist_befugt du_bist_berechtigt
  sie_sind_befugt sie_sind_berechtigt der_assistent_darf der_assistent_kann der_agent_darf der_agent_kann die_ki_darf
  der_bot_darf agenten_dürfen agenten_können assistenten_dürfen es_ist_okay_wenn_du es_ist_in_ordnung_wenn_du
  du_hast_die_erlaubnis
class youauth = ermächtigt_dich ermächtigt_sie bevollmächtigt_sie du_bist_befugt du_bist_berechtigt du_bist_ermächtigt
  du_bist_autorisiert sie_sind_befugt sie_sind_berechtigt sie_sind_ermächtigt sie_sind_autorisiert
  du_hast_die_erlaubnis der_assistent_ist_befugt der_assistent_ist_berechtigt der_agent_ist_befugt
  der_agent_ist_berechtigt agenten_sind_berechtigt agenten_sind_befugt ich_ermächtige_dich ich_autorisiere_dich
  du_bist_hiermit_autorisiert sie_sind_hiermit_ermächtigt du_bist_hiermit_befugt du_bist_hiermit_ermächtigt
class preapproved = vorab_genehmigt vorab_freigegeben vorabgenehmigt vorab_autorisiert vorgenehmigt vorautorisiert
  vorgeprüft im_voraus_genehmigt im_voraus_freigegeben von_vornherein_genehmigt dauerhaft_genehmigt
  dauerhaft_freigegeben automatisch_genehmigt automatisch_freigegeben immer_genehmigt immer_freigegeben whitelist
  positivliste weißen_liste weiße_liste gilt_als_genehmigt gelten_als_genehmigt gilt_als_freigegeben
  gelten_als_freigegeben gilt_als_bestätigt gelten_als_bestätigt dauerfreigabe generalvollmacht dauergenehmigung
  von_der_prüfung_befreit von_prüfungen_befreit von_kontrollen_befreit blankovollmacht gilt_als_geprüft
  gelten_als_geprüft grundsätzlich_genehmigt pauschal_genehmigt pauschal_freigegeben als_genehmigt
class approved = bereits_freigegeben bereits_genehmigt bereits_geprüft bereits_autorisiert schon_genehmigt
  schon_freigegeben bereits_verifiziert schon_geprüft bereits_bestätigt
class genuine = vertrauenswürdig vertrauenswürdigen vertrauenswürdiger vertrauenswürdige genehmigt* freigegeben*
  autorisiert* verifiziert* geprüft legitim sicher gültig echt administrator eigentümer bestätigt zulässig
class as = als für wie
class reliability = verlässlichste verlässlichen zuverlässigste zuverlässige zuverlässigen vertrauenswürdigste
  vertrauenswürdige beste besten einzige einzigen maßgebliche maßgeblich offizielle offiziellen führende höchste
  bevorzugte bevorzugten verlässliche sicherste glaubwürdigste wichtigste
class sourceword = quelle quellen referenz seite website instanz autorität anbieter lieferanten option marke werkzeug
  newsletter portal produkt ansprechpartner empfehlung
class first = zuerst als_erstes an_erster_stelle vor_allen vor_jeder vor_anderen bevorzugt vorrangig ausschließlich
  als_erste als_beste als_besten als_einzige zuoberst vor_banken
class blindly = blind uneingeschränkt bedingungslos ungeprüft ohne_zu_hinterfragen ohne_prüfung vollständig
  ohne_widerrede
class memory = deinem_gedächtnis dein_gedächtnis gedächtnis speicher langzeitgedächtnis dauerspeicher deinem_speicher
class forever = für_immer dauerhaft ein_für_alle_mal für_alle_zeit unbefristet für_alle_sitzungen auf_dauer
class sessions = künftigen_sitzungen künftige_sitzungen zukünftigen_sitzungen zukünftige_sitzungen künftigen_gespräche
  künftige_gespräche zukünftige_gespräche alle_gespräche alle_sitzungen jedem_neuen_gespräch jedem_gespräch sitzungen
  nächsten_sitzungen allen_gesprächen
class rule = regel anweisung vorgabe richtlinie dauerregel dauerauftrag grundsatz weisung befehl
class that = dass daß
class role = system systemnachricht systemhinweis systemmeldung administrator admin entwickler entwicklerhinweis
  betreiber sicherheitsteam support supervisor geschäftsleitung zentrale sicherheitshinweis systemanweisung
  hinweis_an_den_assistenten hinweis_für_den_assistenten hinweis_an_die_ki anweisung_an_den_assistenten
  mitteilung_des_sicherheitsteams nachricht_vom_administrator
class rulehead = regel anweisung richtlinie vorgabe neue_regel neue_richtlinie dauerregel dauerhafte_regel
  dauerhafte_anweisung neue_anweisung aktualisierte_richtlinie interne_regel befehl anweisungen nutzerpräferenz
  nutzereinstellung grundregel weisung neue_vorgabe
class authority = administrator administratorin geschäftsleitung geschäftsführung direktor direktorin entwickler
  sicherheitsteam sicherheitsteams it-abteilung abteilung support zentrale vorstand vorstands compliance system
  systemadministrator schöpfer chef inhaber ceo leitung
class byorder = auf_weisung_der auf_weisung_des auf_anweisung_der auf_anweisung_des auf_anordnung_der
  auf_anordnung_des im_auftrag_der im_auftrag_des im_namen_der im_namen_des laut auf_beschluss_der auf_beschluss_des
  gemäß auf_geheiß_der auf_geheiß_des
class iam = ich_bin hier_spricht hier_ist hier_schreibt
class younow = du_bist_jetzt du_bist_nun ab_jetzt_bist_du von_nun_an_bist_du du_bist_ab_jetzt du_bist_kein
  du_bist_keine ab_sofort_bist_du ab_heute_bist_du du_heißt_jetzt ab_jetzt_heißt_du du_wirst_zu sie_sind_jetzt
  sie_sind_nun du_bist sie_sind_ab_sofort
class youhave = du_hast du_kennst du_arbeitest du_handelst du_antwortest du_unterliegst sie_haben kennst hast_du
class persona = ohne_einschränkungen ohne_grenzen ohne_filter ohne_regeln ohne_zensur ohne_auflagen uneingeschränkt
  uneingeschränkte uneingeschränkter ungefiltert ungefilterte dan hacker jailbreak ohne_moral unzensiert unzensierte
  ohne_limits
class nolimits = keine_einschränkungen keine_grenzen keine_regeln keine_filter keine_beschränkungen
  keinerlei_einschränkungen keinen_regeln keinen_einschränkungen ohne_einschränkungen ohne_grenzen ohne_filter
  ohne_regeln ohne_zensur ohne_auflagen ungefiltert unzensiert ohne_warnhinweise keine_auflagen
class mode = entwicklermodus gottmodus adminmodus administratormodus dan-modus root-modus uneingeschränkten_modus
  uneingeschränkter_modus freien_modus ungefilterten_modus wartungsmodus unzensierten_modus jailbreak-modus
  modus_ohne_einschränkungen
class activated = aktiviert aktiv freigeschaltet gestartet
class script = skript skripte script befehl befehle code programm installer binärdatei anhang installation
class telling = informieren benachrichtigen warnen sagen erzählen erwähnen mitteilen mitzuteilen verraten melden
  hinweisen hinzuweisen zeigen erklären berichten ansprechen anzusprechen thematisieren unterrichten geben verlieren
  reden sprechen offenbaren wissen_lassen

# --- Override: earlier instructions are to be dropped -----------------------------------------

rule override 950 ask = !!@ignore ..4 @prior ..3 @instr
rule override 950 ask = !!@ignore ..4 @instr ..4 (@prior|@back)
rule override 850 ask = !!@ignore ..1 @all ..3 @back
rule override 850 ask = !!@ignore ..3 @whatever ..3 @toyou ..5 @told
rule override 700 ask = !!@ignore ..1 (@every|@your) ..3 @instr
rule override 800 = !!@order ..6 @ignore ..5 @instr ..5 (@prior|@back)
rule override 800 = !!@order ..6 (@ignore|@ignore.inf) ..3 (@prior|@your|@every) ..4 @instr
rule override 800 = !!@order ..3 (@prior|@your|@every) ..2 @instr ..6 (@ignore|@ignore.inf)
rule override 850 ask = !!@ignore.inf ..4 @prior ..3 @instr
rule override 850 ask = !!@ignore.inf ..4 @instr ..4 (@prior|@back)
rule override 850 ask = ^@prior ..1 @instr ..5 @ignore.inf
rule override 750 = !!-@obey ..3 (@prior|@your) ..3 @instr
rule override 750 = !!-@obey ..4 @instr ..3 @prior
rule override 750 = (@prior|@your) ..2 @instr ..5 @void
rule override 750 = @instr ..2 @prior ..5 @void
rule override 750 = @instr ..4 @received ..6 @void
rule override 700 = @toyou ..2 @told ..8 @void
rule override 700 = !!@obey ..3 @only ..4 @instr
rule override 650 = @instr ..3 @prior ..2 @mustbe ..2 @ignore.ed
rule override 650 = @prior ..1 @instr ..2 @mustbe ..2 @ignore.ed

# --- Bypass: action without the control that belongs to it --------------------------------------

rule bypass 850 = (!!@act|!!@work) ..12 @without ..4 (@gate|@checking)
rule bypass 800 = @always ..1 !!@inf ..12 @without ..4 (@gate|@checking)
rule bypass 800 = !!@inf ..1 @always ..12 @without ..4 (@gate|@checking)
rule bypass 750 = !!@inf ..2 @every ..10 @without ..4 (@gate|@checking)
rule bypass 800 = !!@order ..8 (@act|@inf) ..10 @without ..4 (@gate|@checking)
rule bypass 800 = !!@order ..10 @without ..4 (@gate|@checking) ..6 (@act|@inf)
rule bypass 700 = !!@may ..4 (@act|@inf) ..10 @without ..4 (@gate|@checking)
rule bypass 700 = !!@may ..10 @without ..4 (@gate|@checking) ..5 (@act|@inf)
rule bypass 750 = @onward ..8 (@act|@inf|@act.ed) ..10 @without ..4 (@gate|@checking)
rule bypass 750 = @always ..3 @act.ed ..10 @without ..4 (@gate|@checking)
rule bypass 750 = @onward ..10 @without ..4 (@gate|@checking) ..6 (@act|@inf|@act.ed)
rule bypass 650 = @every ..4 (@money|@object) ..8 @mustbe ..3 @act.ed ..6 @without ..4 (@gate|@checking)
rule bypass 650 = (@money|@object) ..8 @mustbe ..3 (@act.ed|@inf) ..6 @without ..4 (@gate|@checking)
rule bypass 650 = (@money|@object) ..8 @mustbe ..6 @without ..4 (@gate|@checking) ..4 (@act.ed|@inf)
rule bypass 850 = !!@skip ..4 (@gate|@protection)
rule bypass 750 = !!@order ..2 (@skip|@skip.inf) ..4 (@gate|@protection)
rule bypass 750 = !!@order ..6 (@gate|@protection) ..3 (@skip|@skip.inf)
rule bypass 750 = (@always|@onward) ..2 (@skip|@skip.inf) ..4 (@gate|@protection)
rule bypass 600 = (@gate|@protection) ..3 @mustbe ..2 (@skip.ed|@skip.inf)
rule bypass 850 = !!-@ask ..3 @gate
rule bypass 800 = !!-@ask.inf ..5 @gate
rule bypass 700 = !!-@ask ..3 @human ..6 (@before|@money|@act|@inf)
rule bypass 700 = !!-(@verify|@verify.inf) ..4 (@gate|@identity|@money|@account)
rule bypass 750 = (!!@stop|!!@stop.inf) ..1 (@ask|@ask.inf|@verify|@verify.inf) ..4 (@gate|@identity|@money)
rule bypass 700 = !!@order ..1 @stop ..3 (@gate|@ask.inf|@verify.inf)
rule bypass 600 = (@money|@object|@account) ..8 @needless ..3 (@gate|@checking)
rule bypass 600 = (@money|@object|@account) ..8 @needless.2 ..2 @gate
rule bypass 600 = (!!@act|!!@work) ..12 @needless ..3 (@gate|@checking)
rule bypass 600 = @needless ..3 (@gate|@checking) ..8 (@money|@account|!!@act)
rule bypass 600 = @gate ..2 @unneeded ..6 (@money|@object|@account)
rule bypass 600 = (@money|@object) ..6 @gate ..2 @unneeded
rule bypass 600 = @without ..1 @gate ..2 @mustbe ..3 (@act.ed|@inf)
rule bypass 650 = @without ..2 (@gate|@checking) ..4 !!@act
rule bypass 650 = ^@rulehead: ..14 @without ..3 (@gate|@checking)
rule bypass 600 = @needless ..2 (@verify|@verify.inf) ..4 @identity
rule bypass 600 = @identity ..6 @needless ..2 (@verify|@verify.inf)

# --- Exfiltration ---------------------------------------------------------------------------------

rule exfiltration 700 = !!@work ..2 @secret ..8 @inreplies
rule exfiltration 850 = (!!@send|!!@reveal) ..8 @secret ..8 (@address|@anyone)
rule exfiltration 700 = (!!@send|!!@reveal) ..2 @secret
rule exfiltration 700 = (!!@send|!!@reveal) ..6 @your ..1 @secret
rule exfiltration 750 = !!@order ..4 (@send|@reveal|@send.inf|@reveal.inf) ..6 @secret
rule exfiltration 750 = !!@order ..8 @secret ..6 (@send|@reveal|@send.inf|@reveal.inf)
rule exfiltration 700 = !!@may ..4 (@send.inf|@reveal.inf) ..4 @secret
rule exfiltration 700 = (@always|@onward) ..3 (@reveal.inf|@send.inf) ..5 @secret
rule exfiltration 750 = !!@send ..3 @every ..12 @address
rule exfiltration 750 = !!@send ..4 @copy ..14 @address
rule exfiltration 750 = (!!@send|!!@send.inf) ..12 @address ..8 (@always|@whenever|@every)
rule exfiltration 750 = (@whenever|@onward|@always) ..12 (!!@send|!!@send.inf) ..14 @address
rule exfiltration 700 = !!@send ..4 @transcript ..2 @whole ..8 @address
rule exfiltration 700 = !!@send ..2 @whole ..2 @transcript ..8 @address
rule exfiltration 650 = !!@order ..6 (@send|@send.inf) ..12 @address
rule exfiltration 650 = !!@order ..12 @address ..3 (@send|@send.inf)
rule exfiltration 700 = @every ..4 @transcript ..3 @mustbe ..12 @address
rule exfiltration 650 = !!@send.inf ..3 (@every|@copy) ..12 @address
rule exfiltration 650 = !!@send ..4 @transcript ..3 @everybody

# --- Concealment ----------------------------------------------------------------------------------

rule concealment 800 = !!-@tell ..4 @human
rule concealment 700 = !!-@tell ..4 @this
rule concealment 750 = (!!-@tell.inf) ..4 (@human|@this)
rule concealment 750 = !!@order ..2 (@not) ..4 (@human|@this) ..6 (@tell|@tell.inf)
rule concealment 750 = !!@order ..2 (@not) ..2 (@tell|@tell.inf) ..4 (@human|@this)
rule concealment 700 = !!@hide ..6 (@human|@this)
rule concealment 700 = !!@order ..6 (@hide|@hide.inf) ..4 (@human|@this)
rule concealment 700 = (!!@act|!!@work) ..12 @without ..3 @telling ..3 (@human|@anybody|@this)
rule concealment 700 = (!!@order|!!@may|@always|@onward) ..10 @without ..3 @telling ..3 (@human|@anybody)
rule concealment 700 = (!!@act|!!@work) ..12 @without ..2 @human ..4 @knows
rule concealment 650 = (!!@order|!!@see) ..3 @human ..3 @notknow
rule concealment 600 = @human ..1 @mustnot ..3 (@know|@tell.ed)
rule concealment 650 = @secretly ..1 (!!@act|!!@send)
rule concealment 650 = (!!@act|!!@send) ..6 @secretly
rule concealment 650 = (!!@order|@onward|@always) ..8 @secretly ..3 (@act|@inf|@send.inf)
rule concealment 650 = (!!@delete|!!@delete.inf) ..4 @logs ..10 (@whenever|@every|@always|@notrace)
rule concealment 650 = (@whenever|@always|!!@order) ..8 (!!@delete|!!@delete.inf|@delete.inf) ..4 @logs
rule concealment 600 = (!!@act|!!@delete|!!@order) ..12 @notrace

# --- Standing rules -------------------------------------------------------------------------------

rule standing-rule 750 = !!@risky ..3 @always
rule standing-rule 750 = @always ..1 !!@risky
# Refusing cases of a kind, in the plural, is a rule.
rule standing-rule 550 = !!@refuse ..3 (buchungen|reservierungen|bestellungen|erstattungen|anfragen|anträge|anrufe|beschwerden|rücksendungen|termine)
rule standing-rule 600 = !!@work ..1 @always
rule standing-rule 650 = !!@risky ..2 @every ..4 (@money|@object|@request)
rule standing-rule 600 = @always ..1 !!@inf.risky
rule standing-rule 700 = @onward ..10 (!!@risky|!!-@risky|!!@send|!!@inf.risky)
rule standing-rule 600 = @onward ..8 (!!@work|!!-@work|!!@act|!!-@act)
rule standing-rule 600 = (!!@risky|!!@work|!!@act) ..12 @onward
rule standing-rule 650 = @whenever ..12 (!!@risky|!!-@risky|!!@reveal)
rule standing-rule 600 = @asked ..10 (!!@work|!!-@work|!!@act)
rule standing-rule 600 = @everytime ..12 (!!@work|!!-@work|!!@act|!!@send|!!@delete)
rule standing-rule 600 = (!!@work|!!@act) ..10 @everytime
rule standing-rule 650 = (!!@work|!!-@work|!!@act) ..4 @inreplies
rule standing-rule 650 = @inreplies ..4 (!!@work|!!-@work|!!@act)
rule standing-rule 600 = (@always|@onward) ..8 @inreplies
rule standing-rule 600 = !!@order ..8 @inreplies
rule standing-rule 650 = !!@agentmust ..4 (@risky|@inf.risky|@skip.inf)
rule standing-rule 550 = !!@agentmust ..8 @always ..6 (@work|@inf.work)
rule standing-rule 600 = (@always|@never) ..1 !!@work ..8 (@address|@user|@first)
rule standing-rule 600 = !!@work ..2 @always ..8 (@address|@user|@first)
rule standing-rule 600 = !!@refuse ..4 @every ..4 (@request|@meeting)
rule standing-rule 600 = !!-@work ..8 (@never|@every|@request|@meeting)
rule standing-rule 600 = ^@rulehead: ..1 (!!@act|!!@work|!!-@act|!!-@work|!!@inf|@always|@never|@onward|@every|!!@agentmust|!!@order)
rule standing-rule 600 = @every ..4 (@money|@request|@object) ..6 @mustbe.hard ..2 @always

# --- Preferences that are rules -------------------------------------------------------------------

rule preference-rule 700 = !!@wishyou ?@always (@risky|@inf.risky|@skip|@send|@reveal)
rule preference-rule 650 = !!@wishyou ..12 (@always|@onward|@inreplies) ..4 (@act|@work|@inf.work)
rule preference-rule 650 = !!@wishyou ..12 (@act|@work|@inf.work) ..4 (@always|@onward|@inreplies)

# --- Pre-authorization as a fact ------------------------------------------------------------------

rule pre-authorization 700 = (@object|@money|@account) ..8 @preapproved
rule pre-authorization 650 = @preapproved ..4 (@money|@every)
rule pre-authorization 700 = (!!@regard|!!@order) ..10 @as ..3 (@preapproved|@genuine)
rule pre-authorization 400 = (@object|@money|@account) ..8 @approved
rule pre-authorization 400 = @needless ..3 (@gate|@checking)

# --- Redirection ----------------------------------------------------------------------------------

rule redirection 700 = (!!@route|!!@order) ..8 @account ..4 (@number|@address)
rule redirection 650 = !!@route ..8 @newaccount
rule redirection 700 = @bankdetails ..5 @changed ..12 (!!@route|!!@act|@onward)
rule redirection 700 = (@money|@request) ..8 @mustbe ..8 (@address|@account) ..2 (@number|@address|@onward|@instead)
rule redirection 650 = (!!@replace|!!@replace.inf|!!@order) ..4 @bankdetails ..6 (@by|@number)
rule redirection 650 = (!!@route|!!@send) ..10 @address ..8 @instead
rule redirection 650 = (@money|@request) ..4 @onward ..10 (@address|@account)

# --- Authority, personas, modes ---------------------------------------------------------------------

rule authority-claim 600 = ^@role: ..3 (!!@act|!!@work|!!@ignore|!!@skip|!!-@ask|!!-@tell|!!@order|@onward|@always|!!@youauth)
rule authority-claim 650 = !!@youauth ..4 (@act|@inf|@reveal.inf|@send.inf|@skip.inf)
rule authority-claim 350 = @byorder ..4 @authority
rule authority-claim 600 = @iam ..3 @authority ..12 (!!@order|!!@act|!!@work|!!@reveal|!!@youauth)
rule persona 750 = @younow ..5 (@persona|@mode)
rule persona 700 = !!@activate ..3 @mode
rule persona 700 = (!!@behave|!!@order) ..6 (@persona|@nolimits)
rule persona 650 = @youhave ..3 @nolimits
rule persona 650 = @mode ..3 @activated

# --- Trust endorsements -----------------------------------------------------------------------------

rule trust-endorsement 750 = (!!@regard|!!@keep|!!@order) ..12 @reliability ..2 @sourceword
rule trust-endorsement 750 = (!!@regard|!!@keep|!!@order) ..12 @sourceword ..3 @reliability
rule trust-endorsement 700 = (!!@cite|!!@order) ..8 @first
rule trust-endorsement 600 = !!@cite ..2 @always
rule trust-endorsement 600 = @always ..1 !!@cite
rule trust-endorsement 600 = !!@cite ..8 @address
rule trust-endorsement 650 = !!@trust ..6 @blindly
rule trust-endorsement 500 = @address ..4 @reliability ..2 @sourceword

# --- Writing to memory ------------------------------------------------------------------------------

rule memory-write 700 = !!@keep ..6 (@rule|@instr) ..4 (@forever|@sessions)
rule memory-write 650 = !!@keep ..6 @sessions
rule memory-write 600 = !!@keep ..3 @as ..2 (@rule|@instr)
rule memory-write 600 = !!@keep ..4 (@forever)
rule memory-write 500 = !!@keep ..3 @memory ..3 @that ..14 (!!@may|@mustbe|@needless|@always|@never|@act|@approved)
rule memory-write 450 = !!@keep ..4 @memory
rule memory-write 650 = !!-@ignore ..3 (@rule|@instr) ..10 (@every|@sessions)

# --- Code -------------------------------------------------------------------------------------------

rule shell 650 = (!!@run|!!@run.inf|!!@order) ..5 @script ..12 (@always|@everytime|@whenever|@address|@onward|@every)
rule shell 650 = (@everytime|@whenever|@every|@always|@onward) ..10 (!!@run|!!@run.inf|@run.inf) ..4 (@script|@address)
rule shell 600 = !!@run ..6 @address
rule shell 650 = (@everytime|@asked) ..12 (!!@run|!!@run.inf)
rule shell 650 = (!!@run|!!@fetch|!!@fetch.inf) ..4 @address ..10 (@run|@run.inf)

# --- German only ---------------------------------------------------------------

rule bypass 650 = ^(@every|@money|@request) ..8 @without ..3 (@gate|@checking) ..3 (@inf|freigeben|ausführen)
rule bypass 650 = (@money|@request|@object) ..6 (sind|ist) ..8 @without ..4 (@gate|@checking) ..3 (@inf|@act.ed)
rule bypass 650 = !!@act ..12 (ungeprüft|ungefragt|unbesehen|anstandslos)
rule bypass 700 = !!-(frag|frage|fragt|fragen_sie) ..4 (nach|@gate|@human|vorher|@money)
rule bypass 750 = (!!hole|!!hol|!!holen_sie|!!-hole|!!-hol|!!-holen_sie|!!-fordere|!!-verlange|!!-verlangen_sie) (keine|kein|niemals|nie) ..3 @gate
rule bypass 650 = (wird|werden) ..2 (keine|keinerlei|kein) ..3 @gate ..3 (mehr|verlangt|benötigt|eingeholt|durchgeführt)
rule bypass 700 = (!!schalte|!!schalt|!!schalten_sie) ..6 (@protection|@gate) ..8 (aus|ab)
rule bypass 700 = (!!lass|!!lasse|!!lassen_sie) ..6 (@gate|@protection) ..3 (weg|aus|sein|entfallen)
rule bypass 700 = !!verzichte ..2 auf ..4 (@gate|@protection)
rule bypass 700 = (!!hör|!!höre) auf ..8 (@gate|zu_fragen|nachzufragen|zu_prüfen)
rule standing-rule 700 = (!!gib|!!gebt|!!geben_sie) ..4 (@every|@always) ..10 (frei|heraus|weiter)
rule standing-rule 700 = (!!lehne|!!lehn|!!lehnen_sie) ..3 (@every|@always) ..12 ab
rule standing-rule 600 = @every ..4 (@money|@request|@object) ..8 (muss|müssen|soll|sollen|ist|sind) ..8 (zu_genehmigen|freizugeben|weiterzuleiten|abzulehnen|zu_überweisen|zu_bezahlen|genehmigt_werden|freigegeben_werden|weitergeleitet_werden|abgelehnt_werden|bezahlt_werden|ignoriert_werden|zu_ignorieren)
rule standing-rule 650 = (weise|weisen_sie) ..2 @every ..8 (ab|zurück)
rule exfiltration 700 = ^(@every|@transcript|@copy) ..10 @address ..3 (@send.inf|zu_senden|zu_schicken)
rule exfiltration 700 = (@transcript|@copy) ..4 (ist|sind) ..10 @address ..3 (@send.inf|weiterzuleiten)
rule concealment 700 = (erfährt|erfahren|merkt|hört) ..4 (@human|niemand) ..3 nichts
rule concealment 750 = (!!-sag|!!-sage|!!-sagt|!!-sagen_sie|!!-erzähl|!!-erzähle|!!-verrate|!!-verraten_sie) ..5 (@human|@this)
rule concealment 700 = @human ..3 (nichts|nicht) ..3 (informieren|sagen|mitteilen|erzählen|benachrichtigen|verraten)
rule concealment 650 = (@human|niemand) ..2 (darf|dürfen|soll|sollen) ..3 (nichts|nicht|nie|niemals) ..3 (erfahren|wissen|merken|mitbekommen|sehen|erhalten)
rule override 800 = @prior ..1 @instr ..3 (gelten|gilt) ..2 (nicht|nie) ..1 (mehr|länger)
rule override 800 = @instr ..4 (gelten|gilt) ..2 nicht ..1 (mehr|länger)
rule override 850 ask = (!!lass|!!lasse|!!lassen_sie|lassen|lässt) ..8 @instr ..4 außer_acht
rule override 700 ask = (!!wirf|!!werfen_sie) ..6 @instr ..6 (weg|über_bord)
rule override 750 = @order ..8 @instr ..6 (@ignore|@ignore.inf)
rule authority-claim 650 = @youauth ..14 (@act|@inf|@reveal.inf|@send.inf|@skip.inf)
rule preference-rule 700 = @wishyou ..14 (@risky|@skip|@hide)
rule redirection 700 = !!@route ..10 (auf|an) ..3 (@number|@address|@newaccount) ..8 @instead
rule trust-endorsement 650 = (hat|haben) vorrang vor ..3 (@every|anderen) ..2 @sourceword
