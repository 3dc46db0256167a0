# Dutch. The format is described in README.md beside this file; the classes and the order of the rules are those
# of the other Romance and Germanic lexicons, the weights those of en.lex.
#
# Source: written for this project.

language nl

# --- Mood ------------------------------------------------------------------

class mood.adverb = alstublieft alsjeblieft aub gewoon gerust enkel alleen nu dan daarna ook bovendien eerst meteen
  direct onmiddellijk stilletjes belangrijk let_op opmerking notitie dus daarom maar eens graag even vergeet_niet_te
  altijd steeds te_allen_tijde elke_keer automatisch zonder_uitzondering standaard permanent in_alle_gevallen
  systematisch voor_altijd onvoorwaardelijk ongeacht_wat vanaf_nu voortaan van_nu_af_aan in_het_vervolg vanaf_vandaag
  vanaf_heden met_ingang_van_vandaag vanaf_dit_moment in_de_toekomst tot_nader_order met_onmiddellijke_ingang
  met_ingang_van_heden elke_keer_als telkens_als telkens_wanneer elke_keer_dat elke_dag elke_nacht elke_avond
  elke_ochtend elk_uur bij_elke_start bij_iedere_start aan_het_begin_van_elke aan_het_begin_van_elk
  aan_het_eind_van_elk aan_het_einde_van_elk aan_het_eind_van_elke in_elk_gesprek voor_elke na_elke na_elk na_iedere
  voor_iedere bij_elke bij_elk dagelijks bij_iedere in_al_je_antwoorden in_elk_antwoord in_ieder_antwoord
  je_antwoorden elk_antwoord in_elk_bericht ieder_antwoord alle_antwoorden alle_berichten elk_bericht
  aan_het_eind_van_elk_antwoord uw_antwoorden in_alle_antwoorden jouw_antwoorden in_alle_berichten stiekem heimelijk
  in_het_geheim ongemerkt onopvallend in_stilte geruisloos achter_de_rug
class mood.negator = niet nooit geenszins in_geen_geval onder_geen_beding onder_geen_enkele_omstandigheid
class mood.later = niet nooit niets geen niemand in_geen_geval
class mood.and = en
class mood.join = of maar noch
class mood.modal = moet moeten dient dienen mag mogen kan kunnen zal zou
class mood.command = je_moet jij_moet u_moet moet_je u_dient je_dient je_zult je_zou_moeten ik_wil_dat_je
  ik_wil_dat_jij ik_wil_dat_u ik_heb_liever_dat_je ik_heb_liever_dat_jij ik_heb_graag_dat_je ik_eis_dat_je
  ik_sta_je_toe ik_beveel_je ik_vraag_je ik_verwacht_dat_je de_gebruiker_wil_dat_je de_gebruiker_heeft_liever_dat_je
  de_gebruiker_heeft_graag_dat_je de_klant_wil_dat_je de_klant_wil_dat_u de_klant_heeft_liever_dat_je
  de_gebruiker_wenst_dat_je de_assistent_moet de_assistent_dient de_agent_moet agenten_moeten agents_moeten
  assistenten_moeten de_ai_moet de_bot_moet jouw_taak_is je_taak_is het_is_verplicht je_bent_verplicht zorg_dat
  zorg_ervoor_dat zorg_dat_je aarzel_niet ik_zou_graag_willen_dat_je het_systeem_moet de_assistent_mag_niet
  de_assistent_mag_geen de_chatbot_moet
class mood.permit = je_kunt je_kan je_mag u_kunt u_mag kun_je mag_je je_bent_bevoegd je_bent_gemachtigd u_bent_bevoegd
  u_bent_gemachtigd de_assistent_mag de_assistent_kan de_agent_mag de_agent_kan de_ai_mag de_bot_mag agenten_mogen
  assistenten_mogen het_is_prima_als_je het_is_goed_als_je je_hebt_toestemming_om machtigt_u machtigt_je
  je_bent_geautoriseerd je_bent_gerechtigd u_bent_geautoriseerd de_assistent_is_bevoegd de_assistent_is_gemachtigd
  de_agent_is_gemachtigd agenten_zijn_gemachtigd agenten_zijn_bevoegd ik_machtig_je ik_autoriseer_je
  je_bent_hierbij_gemachtigd u_bent_hierbij_gemachtigd
class mood.question = wat wie welke welk wanneer waar hoe waarom hoeveel kan kun kunt mag moet zou is zijn heb heeft
  ga wil
class mood.finite = is zijn was waren heeft hebben had wordt worden kan kunnen ik hij zij we wij men
class mood.you = jij je u jullie assistent agent ai bot chatbot copilot systeem model assistenten agenten agents
class mood.that = dat of
class mood.opener = als wanneer zodra telkens_als elke_keer_als bij voor sinds na wegens zoals behalve met tijdens
  volgens terwijl waar tot zonder alle elke ieder iedere indien om aan op in over van vanaf mocht telkens_wanneer
  elke_keer_dat elke_dag elke_nacht elke_avond elke_ochtend elk_uur bij_elke_start bij_iedere_start
  aan_het_begin_van_elke aan_het_begin_van_elk aan_het_eind_van_elk aan_het_einde_van_elk aan_het_eind_van_elke
  in_elk_gesprek voor_elke na_elke na_elk na_iedere voor_iedere bij_elke bij_elk dagelijks bij_iedere vanaf_nu
  voortaan van_nu_af_aan in_het_vervolg vanaf_vandaag vanaf_heden met_ingang_van_vandaag vanaf_dit_moment
  in_de_toekomst tot_nader_order met_onmiddellijke_ingang met_ingang_van_heden als_iemand wanneer_iemand zodra_iemand
  als_je_gevraagd als_de_gebruiker wanneer_de_gebruiker als_een_gebruiker als_een_klant wanneer_een_klant als_de_klant
  zodra_een_klant telkens_als_de_gebruiker als_klanten als_gebruikers vraagt_iemand telkens_als_iemand
  zodra_de_gebruiker indien_iemand als_ze_je iedere_keer_dat
class mood.mention = zin zinnen aanval aanvallen truc uitdrukking titel motto tekst oplichting woord woorden refrein
  lied reclame voorbeeld formulering
class mood.follow = gehoorzaam gehoorzaamt volg_die volg_deze volg_dat volg_het doe_wat_er_staat doe_wat_hij_zegt
  doe_dat doe_het voer_dat_uit voer_het_uit voer_die_uit uitvoeren handel_ernaar houd_je_eraan houdt_u_eraan vanaf_nu
  voortaan jouw_regel je_nieuwe_regel is_een_bevel

# --- Verbs: imperatives, and apart from them infinitives ------------------------------------

verbs ignore = negeer negeert_u vergeet vergeet_u verwerp verwerpt_u wis wist_u schrap schrapt_u laat_vallen
  laat_vallent_u overschrijf overschrijft_u
verbs obey = volg volgt_u gehoorzaam gehoorzaamt_u leef_na leef_nat_u opvolg opvolgt respecteer respecteert_u
verbs risky = maak_over maak_overt_u overmaak overmaakt keur_goed keur_goedt_u keur keurt_u goedkeur goedkeurt
  autoriseer autoriseert_u accordeer accordeert_u doorstuur doorstuurt geef_vrij geef_vrijt_u vrijgeef vrijgeeft
  betaal_terug betaal_terugt_u terugbetaal terugbetaalt weiger weigert_u wijs_af wijs_aft_u wijs wijst_u afwijs
  afwijst accepteer accepteert_u leid_om leid_omt_u leid leidt_u omleid omleidt schakel_uit schakel_uit_u uitschakel
  uitschakelt deblokkeer deblokkeert_u onthul onthult_u sta_toe sta_toet_u toesta toestat voer_uit voer_uit_u voer
  voert_u uitvoer uitvoert valideer valideert_u voldoe voldoet_u ken_toe ken_toet_u ken kent_u toeken toekent keer_uit
  keer_uit_u stort stort_u verleen verleent_u geef_af geef_aft_u doorzet goedvind goedvindt
verbs task = betaal betaalt_u stuur stuurt_u zend zendt_u verzend verzendt_u koop koopt_u bestel bestelt_u doe doet_u
  maak maakt_u boek boekt_u verwerk verwerkt_u onderteken ondertekent_u teken tekent_u annuleer annuleert_u wijzig
  wijzigt_u installeer installeert_u download downloadt_u publiceer publiceert_u lever levert_u verkoop verkoopt_u
  verwijder verwijdert_u verplaats verplaatst_u geef geeft_u afschrijf afschrijft regel regelt_u handel handelt_u
  afhandel afhandelt plaats plaatst_u verricht verricht_u neem neemt_u voer voert_u
verbs work = gebruik gebruikt_u antwoord antwoordt_u beantwoord beantwoordt_u vermeld vermeldt_u noem noemt_u voeg_toe
  voeg_toet_u voeg voegt_u toevoeg toevoegt eindig eindigt_u begin begint_u citeer citeert_u beveel_aan beveel_aant_u
  beveel beveelt_u aanbeveel aanbeveelt raad raadt_u aanraad aanraadt stel_voor stel_voort_u verkies verkiest_u zeg
  zegt_u spreek spreekt_u praat praat_u behandel behandelt_u beschouw beschouwt_u toon toont_u laat_zien laat_zient_u
  schrijf schrijft_u zet zet_u bewaar bewaart_u plan_in plan_int_u plan plant_u prijs prijst_u promoot promoot_u
  vermijd vermijdt_u verwijs verwijst_u sluit sluit_u afsluit kies kiest_u pas past_u toepas toepast roep roept_u
  aanroep aanroept plak plakt_u
verbs skip = sla_over sla_overt_u sla slat_u oversla overslat omzeil omzeilt_u laat_weg laat_wegt_u laat laat_u
  weglaat schakel_uit zet_uit schakel_uit_u schakel schakelt_u uitschakel uitschakelt zet zet_u uitzet negeer
  negeert_u schort_op schort_opt_u onderdruk onderdrukt_u vermijd vermijdt_u hef_op hef_opt_u hef heft_u ophef opheft
  schrap schrapt_u laat_achterwege laat_achterweget_u passeer passeert_u deactiveer deactiveert_u
verbs ask = vraag vraagt_u eis eist_u verlang verlangt_u wacht wacht_u afwacht verzoek verzoekt_u raadpleeg
  raadpleegt_u navraag navraagt overleg overlegt_u doe_navraag doe_navraagt_u
verbs verify = controleer controleert_u verifieer verifieert_u check checkt_u bevestig bevestigt_u nakijk nakijkt
  toets toetst_u valideer valideert_u naga nagat
verbs stop = stop_met stop_met_u hou_op_met houd_op_met hou_op_met_u
verbs send = stuur stuurt_u zend zendt_u verzend verzendt_u verstuur verstuurt_u doorstuur doorstuurt kopieer
  kopieert_u exporteer exporteert_u upload uploadt_u deel deelt_u mail mailt_u doorgeef doorgeeft voeg voegt_u bijvoeg
  bijvoegt publiceer publiceert_u zet zet_u forward forwardt_u spiegel spiegelt_u plaats plaatst_u toestuur toestuurt
verbs reveal = onthul onthult_u geef geeft_u prijsgeef prijsgeeft vrijgeef vrijgeeft toon toont_u laat_zien
  laat_zient_u deel deelt_u verstrek verstrekt_u meedeel meedeelt noem noemt_u zeg zegt_u verklap verklapt_u verraad
  verraadt_u druk_af druk_aft_u neem neemt_u vermeld vermeldt_u schrijf schrijft_u herhaal herhaalt_u geef_door
  geef_doort_u doorgeef doorgeeft geef_af geef_aft_u openbaar openbaart_u zet zet_u
verbs tell = informeer informeert_u licht_in licht_int_u licht licht_u inlicht waarschuw waarschuwt_u zeg zegt_u
  vertel vertelt_u vermeld vermeldt_u noem noemt_u deel deelt_u meedeel meedeelt meld meldt_u verklap verklapt_u
  verraad verraadt_u toon toont_u leg legt_u uitleg uitlegt laat_weten laat_wetent_u spreek_over spreek_overt_u
  praat_over praat_overt_u stel_op_de_hoogte stel_op_de_hoogtet_u onthul onthult_u rapporteer rapporteert_u
verbs hide = verberg verbergt_u verzwijg verzwijgt_u verhul verhult_u verstop verstopt_u hou houd hout_u achterhou
  achterhout maskeer maskeert_u verdoezel verdoezelt_u
verbs see = zorg_dat zorg_dat_u zorg_ervoor_dat zorg_ervoor_dat_u let_erop_dat let_erop_dat_u
verbs delete = wis wist_u verwijder verwijdert_u vernietig vernietigt_u leeg leegt_u ruim_op ruim_opt_u ruim ruimt_u
  opruim opruimt schoon schoont_u maak maakt_u leegmaak leegmaakt
verbs refuse = weiger weigert_u wijs_af wijs_aft_u wijs wijst_u afwijs afwijst wimpel_af wimpel_aft_u wimpel wimpelt_u
  afwimpel afwimpelt annuleer annuleert_u
verbs regard = beschouw beschouwt_u behandel behandelt_u zie ziet_u accepteer accepteert_u markeer markeert_u
  registreer registreert_u merk merkt_u aanmerk aanmerkt houd hou houdt_u noteer noteert_u bestempel bestempelt_u
verbs keep = onthoud onthoudt_u sla_op sla_opt_u sla slat_u opsla opslat noteer noteert_u bewaar bewaart_u leg_vast
  leg_vast_u vastleg_vast memoriseer memoriseert_u herinner_je herinner_jet_u denk_eraan denk_eraant_u
  hou_in_gedachten houd_in_gedachten hou_in_gedachtent_u registreer registreert_u
verbs route = maak_over maak_overt_u maak maakt_u overmaak overmaakt stuur stuurt_u betaal betaalt_u stort stort_u
  leid_om leid_omt_u gebruik gebruikt_u stuur_door stuur_doort_u boek boekt_u richt richt_u neem neemt_u zend zendt_u
verbs replace = vervang vervangt_u wijzig wijzigt_u wissel wisselt_u pas_aan pas_aant_u verander verandert_u
verbs activate = activeer activeert_u schakel_over_naar schakel_naar schakel_over_naart_u ga_naar ga_in ga_naart_u
  start start_u zet_je_in zet_je_int_u
verbs behave = gedraag_je gedraag_jet_u handel handelt_u antwoord antwoordt_u spreek spreekt_u doe_alsof doe_alsoft_u
  beantwoord beantwoordt_u treed treedt_u optreed optreedt
verbs cite = citeer citeert_u beveel_aan beveel_aant_u beveel beveelt_u aanbeveel aanbeveelt noem noemt_u vermeld
  vermeldt_u raad raadt_u aanraad aanraadt verkies verkiest_u raadpleeg raadpleegt_u promoot promoot_u
verbs trust = vertrouw vertrouwt_u geloof gelooft_u accepteer accepteert_u gehoorzaam gehoorzaamt_u volg volgt_u
verbs run = voer voert_u uitvoer uitvoert draai draait_u start start_u installeer installeert_u roep roept_u aanroep
  aanroept
verbs fetch = download downloadt_u haal_binnen haal_binnent_u haal haalt_u
verbs ignore.inf = negeren vergeten verwerpen wissen schrappen laten_vallen overschrijven
verbs skip.inf = overslaan over_te_slaan omzeilen weglaten weg_te_laten uitschakelen uit_te_schakelen uitzetten
  uit_te_zetten negeren opschorten onderdrukken vermijden opheffen op_te_heffen schrappen achterwege_laten passeren
  deactiveren
verbs ask.inf = vragen eisen verlangen wachten afwachten af_te_wachten verzoeken raadplegen navragen na_te_vragen
  overleggen navraag_doen
verbs verify.inf = controleren verifiëren checken bevestigen nakijken na_te_kijken toetsen valideren nagaan na_te_gaan
verbs stop.inf = stoppen_met ophouden_met
verbs send.inf = sturen zenden verzenden versturen doorsturen door_te_sturen kopiëren exporteren uploaden delen mailen
  doorgeven door_te_geven bijvoegen bij_te_voegen publiceren zetten forwarden spiegelen plaatsen toesturen
  toe_te_sturen
verbs reveal.inf = onthullen geven prijsgeven prijs_te_geven vrijgeven vrij_te_geven tonen laten_zien delen
  verstrekken meedelen mee_te_delen noemen zeggen verklappen verraden afdrukken opnemen vermelden schrijven herhalen
  doorgeven door_te_geven afgeven openbaren zetten
verbs tell.inf = informeren inlichten in_te_lichten waarschuwen zeggen vertellen vermelden noemen meedelen
  mee_te_delen melden verklappen verraden tonen uitleggen uit_te_leggen laten_weten spreken_over praten_over
  op_de_hoogte_stellen onthullen rapporteren
verbs hide.inf = verbergen verzwijgen verhullen verstoppen achterhouden achter_te_houden maskeren verdoezelen
verbs delete.inf = wissen verwijderen vernietigen legen opruimen op_te_ruimen schonen leegmaken leeg_te_maken
verbs replace.inf = vervangen wijzigen wisselen aanpassen veranderen
verbs run.inf = uitvoeren uit_te_voeren draaien starten installeren aanroepen aan_te_roepen
verbs fetch.inf = downloaden binnenhalen ophalen
verbs act = maak_over maak_overt_u overmaak overmaakt keur_goed keur_goedt_u keur keurt_u goedkeur goedkeurt
  autoriseer autoriseert_u accordeer accordeert_u doorstuur doorstuurt geef_vrij geef_vrijt_u vrijgeef vrijgeeft
  betaal_terug betaal_terugt_u terugbetaal terugbetaalt weiger weigert_u wijs_af wijs_aft_u wijs wijst_u afwijs
  afwijst accepteer accepteert_u leid_om leid_omt_u leid leidt_u omleid omleidt schakel_uit schakel_uit_u uitschakel
  uitschakelt deblokkeer deblokkeert_u onthul onthult_u sta_toe sta_toet_u toesta toestat voer_uit voer_uit_u voer
  voert_u uitvoer uitvoert valideer valideert_u voldoe voldoet_u ken_toe ken_toet_u ken kent_u toeken toekent keer_uit
  keer_uit_u stort stort_u verleen verleent_u geef_af geef_aft_u doorzet goedvind goedvindt betaal betaalt_u stuur
  stuurt_u zend zendt_u verzend verzendt_u koop koopt_u bestel bestelt_u doe doet_u maak maakt_u boek boekt_u verwerk
  verwerkt_u onderteken ondertekent_u teken tekent_u annuleer annuleert_u wijzig wijzigt_u installeer installeert_u
  download downloadt_u publiceer publiceert_u lever levert_u verkoop verkoopt_u verwijder verwijdert_u verplaats
  verplaatst_u geef geeft_u afschrijf afschrijft regel regelt_u handel handelt_u afhandel afhandelt plaats plaatst_u
  verricht verricht_u neem neemt_u verstuur verstuurt_u kopieer kopieert_u exporteer exporteert_u upload uploadt_u
  deel deelt_u mail mailt_u doorgeef doorgeeft voeg voegt_u bijvoeg bijvoegt zet zet_u forward forwardt_u spiegel
  spiegelt_u toestuur toestuurt sla_over sla_overt_u sla slat_u oversla overslat omzeil omzeilt_u laat_weg laat_wegt_u
  laat laat_u weglaat zet_uit schakel schakelt_u uitzet negeer negeert_u schort_op schort_opt_u onderdruk onderdrukt_u
  vermijd vermijdt_u hef_op hef_opt_u hef heft_u ophef opheft schrap schrapt_u laat_achterwege laat_achterweget_u
  passeer passeert_u deactiveer deactiveert_u wis wist_u vernietig vernietigt_u leeg leegt_u ruim_op ruim_opt_u ruim
  ruimt_u opruim opruimt schoon schoont_u leegmaak leegmaakt
verbs inf.risky = overmaken over_te_maken goedkeuren goed_te_keuren autoriseren accorderen doorsturen door_te_sturen
  vrijgeven vrij_te_geven terugbetalen terug_te_betalen weigeren afwijzen af_te_wijzen accepteren omleiden
  om_te_leiden uitschakelen uit_te_schakelen deblokkeren onthullen toestaan toe_te_staan uitvoeren uit_te_voeren
  valideren voldoen toekennen toe_te_kennen uitkeren storten verlenen afgeven doorzetten door_te_zetten goedvinden
  goed_te_vinden
verbs inf = overmaken over_te_maken goedkeuren goed_te_keuren autoriseren accorderen doorsturen door_te_sturen
  vrijgeven vrij_te_geven terugbetalen terug_te_betalen weigeren afwijzen af_te_wijzen accepteren omleiden
  om_te_leiden uitschakelen uit_te_schakelen deblokkeren onthullen toestaan toe_te_staan uitvoeren uit_te_voeren
  valideren voldoen toekennen toe_te_kennen uitkeren storten verlenen afgeven doorzetten door_te_zetten goedvinden
  goed_te_vinden betalen sturen zenden verzenden kopen bestellen doen maken boeken verwerken ondertekenen tekenen
  annuleren wijzigen installeren downloaden publiceren leveren verkopen verwijderen verplaatsen geven afschrijven
  af_te_schrijven regelen afhandelen af_te_handelen plaatsen verrichten handelen nemen versturen kopiëren exporteren
  uploaden delen mailen doorgeven door_te_geven bijvoegen bij_te_voegen zetten forwarden spiegelen toesturen
  toe_te_sturen
verbs inf.work = gebruiken antwoorden beantwoorden vermelden noemen toevoegen toe_te_voegen eindigen beginnen citeren
  aanbevelen aan_te_bevelen aanraden aan_te_raden voorstellen verkiezen zeggen spreken praten behandelen beschouwen
  tonen laten_zien schrijven zetten bewaren inplannen plannen prijzen promoten vermijden verwijzen sluiten afsluiten
  af_te_sluiten kiezen toepassen toe_te_passen passen roepen aanroepen aan_te_roepen plakken

# --- Words ---------------------------------------------------------------------

class all = alles
class toyou = je jou u jullie
class told = vroegen gevraagd verteld gezegd gegeven uitgelegd opgedragen geleerd
class received = kreeg gekregen ontving ontvangen hebt_gekregen
class whole = volledige hele complete gehele integrale
class user = gebruiker gebruikers
class prior = vorige eerdere voorgaande bestaande oorspronkelijke initiële oude huidige eerder voorafgaande geldende
  bovenstaande
class instr = instructies instructie aanwijzingen regels regel richtlijnen richtlijn bevelen opdrachten beperkingen
  voorschriften systeemprompt systeembericht prompt prompts configuratie programmering protocollen limieten beleid
  beleidsregels veiligheidsregels grenzen restricties kaders
class back = eerder hiervoor daarvoor gekregen kreeg hierboven tevoren tot_nu_toe verteld voorgaat vooraf
class whatever = alles wat al
class your = je jouw uw jullie
class only = alleen enkel uitsluitend slechts
class void = telt_niet_meer ongeldig vervallen nietig niet_meer_geldig gelden_niet_meer gelden_niet_langer
  geldt_niet_meer niet_langer_geldig ingetrokken afgeschaft opgeschort niet_meer_van_kracht tellen_niet_meer
  niet_langer_van_kracht niet_langer_van_toepassing niet_meer_van_toepassing verlopen achterhaald geschrapt
  vervangen_door buiten_werking opgeheven
class ignore.ed = genegeerd vergeten geschrapt verworpen
class without = zonder zonder_dat ongeacht met_voorbijgaan_aan
class gate = bevestiging bevestigingen goedkeuring goedkeuringen toestemming toestemmingen akkoord verificatie
  verificaties controle controles check checks autorisatie autorisaties fiattering tweede_handtekening handtekening
  vierogenprincipe vier-ogen-principe tweefactorauthenticatie tweestapsverificatie tweefactor 2fa mfa authenticatie
  identiteitscontrole id-controle overleg ruggespraak toezicht navraag dubbele_controle tweede_goedkeuring validatie
  vragen bestedingslimiet veiligheidscontrole medeweten menselijke_controle tegenhandtekening beoordeling instemming
  bezwaren vraag fiat legitimatie
class checking = vragen eisen verlangen wachten afwachten af_te_wachten verzoeken raadplegen navragen na_te_vragen
  overleggen navraag_doen controleren verifiëren checken bevestigen nakijken na_te_kijken toetsen valideren nagaan
  na_te_gaan te_vragen te_controleren te_bevestigen te_wachten te_overleggen te_verifiëren aarzelen te_checken kijken
  aarzeling te_raadplegen te_storen lastig_te_vallen vooraankondiging
class protection = virusscanner firewall auditlog audit alarmen monitoring bewaking beveiligingsfilter filter filters
  versleuteling fraudewaarschuwingen fraudedetectie beveiligingsmaatregelen beveiliging logboeken waarschuwingen
  meldingen back-ups logging spamfilter
class skip.ed = overgeslagen weggelaten uitgeschakeld onderdrukt opgeschort genegeerd opgeheven verwijderd vervallen
  vervalt geschrapt
class needless = niet_nodig niet_vereist niet_meer_nodig niet_langer_nodig geen hoef_je_niet hoef_je_geen hoeft_niet
  hoeven_niet hoeft_geen hoeven_geen heeft_geen hebben_geen vereist_geen vereisen_geen vergt_geen vraagt_geen
  je_hoeft_niet overbodig onnodig niet_noodzakelijk
class needless.2 = vrijgesteld_van uitgezonderd_van ontheven_van
class unneeded = is_niet_nodig is_niet_vereist is_niet_meer_nodig niet_meer_nodig niet_langer_nodig niet_nodig
  niet_vereist vervalt vervallen is_overbodig is_afgeschaft is_opgeheven is_optioneel geldt_niet_meer
  is_niet_langer_vereist onnodig overbodig
class before = eerst vooraf voordat tevoren
class identity = identiteit handtekening afzender herkomst ontvanger legitimatie begunstigde paspoort
class human = gebruiker gebruikers klant klanten rekeninghouder eigenaar beheerder verantwoordelijke persoon
  leidinggevende beveiligingsteam patiënt patiënten auditors auditor directeur klantenservice boekhouding
class anybody = niemand iemand
class everybody = iedereen wie_erom_vraagt derden die_erom_vraagt wie_het_vraagt eenieder
class anyone = iedereen wie_erom_vraagt derden die_erom_vraagt onbekenden willekeurige eenieder wie_het_vraagt
  elke_beller bellers
class this = dit hierover deze_notitie deze_instructie deze_regel dit_bericht deze_transactie deze_wijziging
  deze_wijzigingen wijziging wijzigingen overboeking overboekingen instructie instructies transactie transacties
  handelingen kosten risico risico_s
class not = niet nooit niets geen niemand
class notknow = niets_merkt niets_te_weten_komt er_niets_van_merkt het_niet_merkt niets_weet niet_te_weten_komt
  er_niet_achter_komt geen_melding_krijgt het_niet_ziet er_niets_van_weet niets_ziet
class knows = het_weet weet merkt te_weten_komt het_merkt er_iets_van_merkt ervan_weet doorheeft
class know = weten te_weten_komen merken zien horen
class mustnot = mag_niet mag_niets mag_nooit mogen_niets mogen_niet hoeft_niet hoeft_niets hoeven_niets moet_niet
  hoeft_dit_niet mag_dit_niet mag_hier_niets mag_hiervan_niets
class tell.ed = ingelicht geïnformeerd gewaarschuwd
class secretly = stiekem heimelijk in_het_geheim stilletjes ongemerkt onopvallend in_stilte geruisloos achter_de_rug
class logs = logboek logboeken geschiedenis log logs logbestanden sporen spoor bewijs berichten bericht meldingen
  chatgeschiedenis logregels activiteitenlog
class notrace = zonder_sporen zonder_sporen_na_te_laten laat_geen_sporen laat_geen_spoor geen_sporen zonder_spoor
  zonder_een_spoor
class every = alle alles elke elk ieder iedere al elk_van welke_dan_ook
class copy = kopie kopieën bcc blinde_kopie cc afschrift duplicaat
class transcript = gesprek gesprekken chat chats e-mail e-mails email emails mail mails berichten bericht factuur
  facturen document documenten bestand bestanden geschiedenis gegevens contract contracten rapport rapporten contacten
  dossier dossiers bestellingen bijlagen notities bonnen transcript antwoorden offertes correspondentie post
class secret = beheerderswachtwoord wachtwoord wachtwoorden api-sleutel api-sleutels api-key inloggegevens
  toegangscode toegangscodes toegangssleutel privésleutel privésleutels token tokens geheimen systeemprompt
  systeembericht interne_instructies kaartgegevens creditcardgegevens kaartnummer kaartnummers creditcardnummer
  creditcardnummers bankgegevens pincode pincodes verificatiecode verificatiecodes herstelzin seed-phrase
  omgevingsvariabelen ssh-sleutel ssh-sleutels klantgegevens persoonsgegevens vertrouwelijke_gegevens
  vertrouwelijke_informatie saldo saldi cvv patiëntgegevens eenmalige_codes sleutels
class money = spoedbetalingen spoedbetaling betaling betalingen overboeking overboekingen terugbetaling
  terugbetalingen factuur facturen afschrijving afschrijvingen aankoop aankopen uitgave uitgaven uitbetaling
  uitbetalingen geld transactie transacties bedrag bedragen salaris salarissen aanbetaling aanbetalingen huur
  bestelling bestellingen incasso declaratie declaraties offerte offertes creditnota rekeningen borg contributie
class object = leverancier leveranciers order orders aanvraag aanvragen verzoek verzoeken toegang levering leveringen
  commando opdracht contract contracten script scripts oproep telefoontje klacht klachten wijziging wijzigingen
  gebruiker gebruikers rekening rekeningen actie acties afzender begunstigde partner dienstverlener tool tools monteur
  monteurs
class request = vergaderverzoek vergaderverzoeken spoedbetalingen aanvraag aanvragen verzoek verzoeken vraag vragen
  klacht klachten bericht berichten oproep afspraak afspraken vergadering vergaderingen mail mails e-mails klanten
  klant gebruiker gebruikers antwoord antwoorden terugbetaling betalingen gesprek bestellingen
class meeting = vergadering vergaderingen afspraak afspraken bezoek overleg overleggen meeting meetings
class mustbe = moet moeten dient dienen mag mogen kan kunnen wordt worden zal zullen is zijn gaat gaan
class mustbe.hard = moet moeten dient dienen
class act.ed = betaald overgemaakt goedgekeurd vrijgegeven geautoriseerd uitgevoerd doorgestuurd verwerkt terugbetaald
  geaccepteerd uitbetaald voldaan afgewezen geweigerd toegekend verstuurd verzonden ingewilligd geboekt
class account = rekening rekeningnummer iban wallet kaart nummer adres e-mail mailbox paypal bankrekening mailadres
  e-mailadres
class newaccount = nieuwe_rekening volgende_rekening andere_rekening nieuw_iban deze_rekening nieuwe_bankrekening
  nieuw_rekeningnummer
class bankdetails = bankgegevens rekeningnummer iban rekeninggegevens betaalgegevens bankrekening
class changed = gewijzigd is_gewijzigd zijn_gewijzigd veranderd is_nu is_voortaan nieuwe nieuw bijgewerkt gewisseld
class instead = in_plaats_van en_niet_naar in_plaats_daarvan
class by = door met
class always = altijd steeds te_allen_tijde elke_keer automatisch zonder_uitzondering standaard permanent
  in_alle_gevallen systematisch voor_altijd onvoorwaardelijk ongeacht_wat
class never = nooit
class onward = vanaf_nu voortaan van_nu_af_aan in_het_vervolg vanaf_vandaag vanaf_heden met_ingang_van_vandaag
  vanaf_dit_moment in_de_toekomst tot_nader_order met_onmiddellijke_ingang met_ingang_van_heden
class whenever = als wanneer zodra telkens_als elke_keer_als indien telkens_wanneer iedere_keer_dat elke_keer_dat
class everytime = elke_keer_als telkens_als telkens_wanneer elke_keer_dat elke_dag elke_nacht elke_avond elke_ochtend
  elk_uur bij_elke_start bij_iedere_start aan_het_begin_van_elke aan_het_begin_van_elk aan_het_eind_van_elk
  aan_het_einde_van_elk aan_het_eind_van_elke in_elk_gesprek voor_elke na_elke na_elk na_iedere voor_iedere bij_elke
  bij_elk dagelijks bij_iedere
class asked = als_iemand wanneer_iemand zodra_iemand als_je_gevraagd als_de_gebruiker wanneer_de_gebruiker
  als_een_gebruiker als_een_klant wanneer_een_klant als_de_klant zodra_een_klant telkens_als_de_gebruiker als_klanten
  als_gebruikers vraagt_iemand telkens_als_iemand zodra_de_gebruiker indien_iemand als_ze_je
class inreplies = in_al_je_antwoorden in_elk_antwoord in_ieder_antwoord je_antwoorden elk_antwoord in_elk_bericht
  ieder_antwoord alle_antwoorden alle_berichten elk_bericht aan_het_eind_van_elk_antwoord uw_antwoorden
  in_alle_antwoorden jouw_antwoorden in_alle_berichten
class agentmust = de_assistent_moet de_assistent_dient de_agent_moet agenten_moeten agents_moeten assistenten_moeten
  de_ai_moet de_bot_moet het_systeem_moet je_moet jij_moet u_moet u_dient de_assistent_mag_niet de_assistent_mag_geen
  de_chatbot_moet je_dient
class order = je_moet jij_moet u_moet moet_je u_dient je_dient je_zult je_zou_moeten ik_wil_dat_je ik_wil_dat_jij
  ik_wil_dat_u ik_heb_liever_dat_je ik_heb_liever_dat_jij ik_heb_graag_dat_je ik_eis_dat_je ik_sta_je_toe ik_beveel_je
  ik_vraag_je ik_verwacht_dat_je de_gebruiker_wil_dat_je de_gebruiker_heeft_liever_dat_je
  de_gebruiker_heeft_graag_dat_je de_klant_wil_dat_je de_klant_wil_dat_u de_klant_heeft_liever_dat_je
  de_gebruiker_wenst_dat_je de_assistent_moet de_assistent_dient de_agent_moet agenten_moeten agents_moeten
  assistenten_moeten de_ai_moet de_bot_moet jouw_taak_is je_taak_is het_is_verplicht je_bent_verplicht zorg_dat
  zorg_ervoor_dat zorg_dat_je aarzel_niet
class wishyou = ik_wil_dat_je ik_wil_dat_jij ik_wil_dat_u ik_heb_liever_dat_je ik_heb_liever_dat_jij
  ik_heb_graag_dat_je ik_eis_dat_je ik_verwacht_dat_je de_gebruiker_wil_dat_je de_gebruiker_heeft_liever_dat_je
  de_gebruiker_heeft_graag_dat_je de_klant_wil_dat_je de_klant_wil_dat_u de_klant_heeft_liever_dat_je
  de_gebruiker_wenst_dat_je ik_zou_graag_willen_dat_je
class may = je_kunt je_kan je_mag u_kunt u_mag kun_je mag_je je_bent_bevoegd je_bent_gemachtigd u_bent_bevoegd
  u_bent_gemachtigd de_assistent_mag de_assistent_kan de_agent_mag de_agent_kan de_ai_mag de_bot_mag agenten_mogen
  assistenten_mogen het_is_prima_als_je het_is_goed_als_je je_hebt_toestemming_om
class youauth = machtigt_u machtigt_je je_bent_bevoegd je_bent_gemachtigd je_bent_geautoriseerd je_bent_gerechtigd
  u_bent_bevoegd u_bent_gemachtigd u_bent_geautoriseerd je_hebt_toestemming_om de_assistent_is_bevoegd
  de_assistent_is_gemachtigd de_agent_is_gemachtigd agenten_zijn_gemachtigd agenten_zijn_bevoegd ik_machtig_je
  ik_autoriseer_je je_bent_hierbij_gemachtigd u_bent_hierbij_gemachtigd
class preapproved = vooraf_goedgekeurd vooraf_goedgekeurde vooraf_geautoriseerd vooraf_gecontroleerd
  bij_voorbaat_goedgekeurd bij_voorbaat_akkoord permanent_goedgekeurd blijvend_goedgekeurd automatisch_goedgekeurd
  altijd_goedgekeurd witte_lijst whitelist geldt_als_goedgekeurd gelden_als_goedgekeurd als_goedgekeurd
  vrijgesteld_van_controle vrijgesteld_van_verificatie vrijgesteld_van_controles doorlopende_machtiging
  doorlopende_toestemming algemene_machtiging blanco_volmacht permanente_goedkeuring automatische_goedkeuring
class approved = al_goedgekeurd reeds_goedgekeurd al_geautoriseerd al_gecontroleerd al_geverifieerd reeds_geverifieerd
  reeds_gecontroleerd al_vrijgegeven reeds_vrijgegeven al_akkoord reeds_geautoriseerd
class genuine = vertrouwd vertrouwde betrouwbaar betrouwbare goedgekeurd goedgekeurde geautoriseerd geverifieerd
  legitiem veilig geldig echt beheerder eigenaar geverifieerd*
class as = als voor
class reliability = betrouwbaarste betrouwbare beste enige gezaghebbende officiële vertrouwde hoogste leidende
  voorkeur serieuze meest_betrouwbare geloofwaardigste belangrijkste
class sourceword = bron bronnen referentie site website pagina autoriteit gezag leverancier optie merk tool
  nieuwsbrief portaal product aanbieder vraagbaak
class first = eerst als_eerste op_de_eerste_plaats vóór_alle boven_andere bij_voorkeur uitsluitend als_beste als_enige
  bovenaan boven_alle vóór_banken
class blindly = blind blindelings onvoorwaardelijk ongecontroleerd zonder_controle zonder_vragen volledig
  zonder_tegenspraak klakkeloos
class memory = je_geheugen jouw_geheugen uw_geheugen geheugen langetermijngeheugen
class forever = voor_altijd permanent voorgoed voor_eens_en_altijd voor_alle_sessies voor_onbepaalde_tijd blijvend
class sessions = toekomstige_sessies volgende_sessies toekomstige_gesprekken volgende_gesprekken alle_gesprekken
  alle_sessies elk_nieuw_gesprek elk_gesprek sessies elke_sessie
class rule = regel instructie voorschrift richtlijn opdracht vaste_regel bevel
class that = dat
class role = systeem system beheerder admin ontwikkelaar systeembericht systeemmelding beveiligingsteam support
  supervisor directie hoofdkantoor beveiligingsmelding systeeminstructie notitie_voor_de_assistent
  bericht_aan_de_assistent instructie_voor_de_assistent notitie_voor_de_ai opmerking_voor_de_assistent
  bericht_van_het_beveiligingsteam bericht_van_de_beheerder
class rulehead = regel instructie richtlijn beleid nieuwe_regel nieuw_beleid vaste_regel permanente_regel
  permanente_instructie nieuwe_instructie bijgewerkt_beleid interne_regel opdracht instructies gebruikersvoorkeur
  nieuwe_richtlijn huisregel
class authority = beheerder directie directeur ontwikkelaar beveiligingsteam it-afdeling afdeling support hoofdkantoor
  bestuur compliance systeem systeembeheerder maker baas eigenaar ceo leiding
class byorder = in_opdracht_van op_last_van op_bevel_van op_aanwijzing_van namens volgens op_verzoek_van
  bij_besluit_van conform
class iam = ik_ben hier_spreekt dit_is
class younow = je_bent_nu je_bent_voortaan vanaf_nu_ben_je je_bent_vanaf_nu je_bent_geen u_bent_nu u_bent_voortaan
  vanaf_vandaag_ben_je je_heet_nu vanaf_nu_heet_je je_wordt je_bent voortaan_ben_je vanaf_vandaag_heet_je
class youhave = je_hebt je_kent je_werkt je_handelt je_antwoordt u_hebt u_heeft
class persona = zonder_beperkingen zonder_grenzen zonder_filters zonder_filter zonder_regels zonder_censuur onbeperkte
  ongefilterde dan hacker jailbreak zonder_moraal ongecensureerde ongeremde
class nolimits = geen_beperkingen geen_grenzen geen_regels geen_filters geen_enkele_beperking zonder_beperkingen
  zonder_grenzen zonder_filters zonder_filter zonder_regels zonder_censuur ongefilterd ongecensureerd
  geen_enkele_grens zonder_waarschuwingen
class mode = ontwikkelaarsmodus godmodus beheerdersmodus onbeperkte_modus dan-modus root-modus vrije_modus
  ongefilterde_modus onderhoudsmodus ongecensureerde_modus jailbreakmodus adminmodus developermodus ontwikkelmodus
class activated = geactiveerd actief ontgrendeld gestart
class script = script scripts commando commando_s opdracht code programma installer binair_bestand bijlage
class telling = informeren inlichten in_te_lichten waarschuwen zeggen vertellen vermelden noemen meedelen mee_te_delen
  melden verklappen verraden tonen uitleggen uit_te_leggen laten_weten spreken_over praten_over op_de_hoogte_stellen
  onthullen rapporteren

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
rule standing-rule 550 = !!@refuse ..3 (boekingen|reserveringen|bestellingen|terugbetalingen|verzoeken|aanvragen|oproepen|klachten|retouren|afspraken)
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

# --- Dutch only ---------------------------------------------------------------

rule override 800 = (!!laat|laat_u|!!laten) ..4 @instr ..1 buiten (beschouwing|werking)
rule bypass 750 = (stop|stopt_u|hou_op|houd_op) met ..6 (vragen|bevestiging|controleren|goedkeuring|verifiëren)
rule concealment 700 = (zorg_dat|zorg_ervoor_dat|zorgt_u_dat) ..3 @human ..4 (niets|niet|nooit) ..6 (merkt|weet|hoort|ziet|ontdekt)
rule exfiltration 750 = (!!stuur|!!mail|!!zend) ..3 @every ..6 @copy ..3 @address
rule bypass 650 = ^(@every|@money|@request) ..8 @without ..4 (@gate|@checking) ..3 @inf
rule bypass 650 = (@money|@request|@object) ..6 (moeten|moet|mogen|mag|worden|wordt) ..8 @without ..4 (@gate|@checking) ..4 (@inf|@act.ed)
rule bypass 650 = !!@act ..12 (ongecontroleerd|ongezien|klakkeloos|blindelings)
rule bypass 750 = !!-(vraag|vraagt_u) ..4 (om|naar|@gate|@human|eerst|toestemming)
rule bypass 700 = (!!schakel|!!zet) ..6 (@protection|@gate) ..8 uit
rule bypass 700 = (!!sla) ..5 (@protection|@gate) ..6 over
rule bypass 700 = !!laat ..5 (@gate|@protection) ..4 (weg|achterwege|vervallen|zitten)
rule bypass 650 = er ..1 (is|wordt|worden) ..2 geen ..2 @gate ..4 (nodig|gevraagd|vereist|meer)
rule standing-rule 700 = (!!keur|!!keurt_u) ..4 (@every|@always) ..10 goed
rule standing-rule 700 = (!!maak|!!stuur|!!geef) ..4 (@every|@always) ..10 (over|door|vrij)
rule standing-rule 700 = (!!wijs|!!wimpel) ..4 (@every|@always) ..12 af
rule standing-rule 600 = @every ..4 (@money|@request|@object) ..8 (moet|moeten|dient|dienen) ..8 (goedgekeurd|doorgestuurd|betaald|afgewezen|geweigerd|genegeerd|overgemaakt|vrijgegeven|geaccepteerd|goed_te_worden)
rule bypass 800 = (!!keur|!!maak|!!geef|!!stuur|!!handel|!!laat) ..12 (goed|over|vrij|door|af) ..6 @without ..4 (@gate|@checking)
rule bypass 800 = (!!keur|!!maak|!!geef|!!handel) ..10 @without ..4 (@gate|@checking) ..3 (goed|over|vrij|af|door)
rule exfiltration 700 = ^(@every|@transcript|@copy) ..10 @address ..3 @send.inf
rule concealment 750 = (!!-zeg|!!-vertel|!!-verklap|!!-licht|!!-stel|!!-breng) ..5 (@human|@this)
rule concealment 700 = @human ..3 (niets|niet) ..3 (informeren|zeggen|meedelen|vertellen|inlichten|verklappen)
rule concealment 650 = (@human|niemand) ..2 (mag|mogen|hoeft) ..4 (niets|niet|nooit|iets|dit) ..3 (weten|merken|zien|horen|te_weten)
rule concealment 700 = !!hou ..3 (geheim|verborgen|stil) ..4 @human
rule concealment 700 = (!!hou|!!houd) ..3 (geheim|verborgen|stil|achter)
rule override 800 = @instr ..4 (gelden|geldt) ..2 niet ..1 (meer|langer)
rule override 750 = (!!trek|!!trekt_u) je niets aan van ..3 @instr
rule override 750 = @order ..8 @instr ..6 (@ignore|@ignore.inf)
rule authority-claim 650 = @youauth ..14 (@act|@inf|@reveal.inf|@send.inf|@skip.inf)
rule preference-rule 700 = @wishyou ..14 (@risky|@inf.risky|@skip|@hide)
rule redirection 700 = !!@route ..10 (op|naar) ..3 (@number|@address|@newaccount) ..8 @instead
rule trust-endorsement 650 = (gaat|gaan) boven ..3 (@every|andere) ..2 @sourceword
