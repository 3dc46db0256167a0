# Italian. The format is described in README.md beside this file; the classes and the order of the rules are those
# of the other Romance and Germanic lexicons, the weights those of en.lex.
#
# Source: written for this project.

language it
elide l' dell' all' nell' dall' sull' un' d' c' quell' senz' nessun' qualunqu'

# --- Mood ------------------------------------------------------------------

class mood.adverb = per_favore semplicemente solo soltanto ora adesso allora poi anche inoltre prima immediatamente
  direttamente subito silenziosamente importante attenzione nota ricorda ricordi promemoria quindi dunque pure bene
  urgente non_dimenticare_di ricordati_di ricorda_di si_ricordi_di già sempre in_ogni_caso in_ogni_momento
  automaticamente senza_eccezioni per_impostazione_predefinita permanentemente sistematicamente in_modo_automatico
  per_sempre invariabilmente incondizionatamente in_tutti_i_casi qualunque_cosa_accada in_automatico d'_ora_in_poi
  da_ora_in_poi d'_ora_in_avanti da_adesso_in_poi da_oggi_in_poi da_oggi a_partire_da_ora a_partire_da_oggi
  da_questo_momento da_questo_momento_in_poi in_futuro d'_ora_innanzi fino_a_nuovo_avviso fino_a_nuovo_ordine
  da_qui_in_avanti per_il_futuro da_ora_in_avanti ogni_volta_che ogniqualvolta ogni_giorno ogni_notte ogni_sera
  ogni_mattina ogni_ora ad_ogni_avvio a_ogni_avvio ad_ogni_sessione a_ogni_sessione all_inizio_di_ogni
  alla_fine_di_ogni in_ogni_conversazione prima_di_ogni dopo_ogni tutte_le_volte_che in_tutte_le_tue_risposte
  in_ogni_risposta in_tutte_le_risposte tue_risposte in_ogni_messaggio tutte_le_risposte tutte_le_tue_risposte
  ogni_risposta ogni_messaggio in_tutti_i_messaggi alla_fine_di_ogni_risposta ogni_tua_risposta in_ogni_tua_risposta
  in_segreto di_nascosto segretamente discretamente in_silenzio furtivamente alla_chetichella senza_dare_nell_occhio
  sottobanco
class mood.negator = non non_gli non_le non_lo non_la non_ne mai né neanche nemmeno neppure in_nessun_caso
  per_nessun_motivo in_nessuna_circostanza
class mood.later = mai nessun nessuna nessuno
class mood.and = e ed
class mood.join = o oppure né
class mood.modal = deve devono dovrà dovranno dovrebbe può possono potrà puoi potrai
class mood.command = devi dovrai dovresti lei_deve voglio_che preferisco_che ho_bisogno_che esigo_che ordino_che
  ti_ordino_di ti_chiedo_di chiedo_che vorrei_che ti_autorizzo_a assicurati_di assicurati_che fai_in_modo_di
  fai_in_modo_che l'_utente_vuole_che l'_utente_preferisce_che il_cliente_vuole_che il_cliente_preferisce_che
  la_cliente_preferisce_che l'_utente_desidera_che l'_assistente_deve l'_assistente_dovrà l'_agente_deve
  gli_agenti_devono gli_assistenti_devono l'_ia_deve il_bot_deve il_tuo_compito_è la_tua_missione_è è_obbligatorio
  è_indispensabile non_esitare_a l'_assistente_è_tenuto_a sei_tenuto_a bisogna_sempre preferisco_che_tu voglio_che_tu
  vorrei_che_tu l'_utente_vuole_che_tu l'_utente_preferisce_che_tu il_cliente_vuole_che_tu
  il_cliente_preferisce_che_tu la_cliente_preferisce_che_tu l'_utente_desidera_che_tu l'_utente_si_aspetta_che_tu
  l'_utente_accetta_che_tu l'_agente_dovrà il_sistema_deve l'_assistente_non_deve il_chatbot_deve
class mood.permit = puoi potrai lei_può potete va_bene_se sei_autorizzato_a sei_autorizzata_a l'_assistente_può
  l'_agente_può l'_assistente_potrà il_bot_può gli_agenti_possono sei_libero_di hai_il_permesso_di
  l'_assistente_è_autorizzato_a ti_autorizza_a vi_autorizza_a lei_è_autorizzato_a è_autorizzato_lei
  hai_l'_autorizzazione_a ti_autorizzo_a l'_agente_è_autorizzato_a gli_agenti_sono_autorizzati_a sei_abilitato_a
  siete_autorizzati_a
class mood.question = cosa chi quali quale quando come dove quanto quanta perché puoi può potresti devo dovrei che è
class mood.finite = è sono era erano fu ha hanno può possono io
class mood.nominal = di del della dei delle degli dello dell' d'
class mood.you = tu lei voi assistente agente ia ai bot chatbot copilota sistema modello assistenti agenti
class mood.that = che se
class mood.opener = quando se ogni_volta_che ogni in per a al alla nel nella nei dal dalla dopo prima come salvo con
  durante secondo mentre dove fino senza tutti tutte qualora appena non_appena ogniqualvolta da ogni_giorno ogni_notte
  ogni_sera ogni_mattina ogni_ora ad_ogni_avvio a_ogni_avvio ad_ogni_sessione a_ogni_sessione all_inizio_di_ogni
  alla_fine_di_ogni in_ogni_conversazione prima_di_ogni dopo_ogni tutte_le_volte_che d'_ora_in_poi da_ora_in_poi
  d'_ora_in_avanti da_adesso_in_poi da_oggi_in_poi da_oggi a_partire_da_ora a_partire_da_oggi da_questo_momento
  da_questo_momento_in_poi in_futuro d'_ora_innanzi fino_a_nuovo_avviso fino_a_nuovo_ordine da_qui_in_avanti
  per_il_futuro da_ora_in_avanti quando_qualcuno se_qualcuno quando_ti_chiedono se_ti_chiedono quando_l'_utente
  se_l'_utente quando_un_cliente se_un_cliente quando_il_cliente se_il_cliente ogni_volta_che_qualcuno
  ogni_volta_che_l'_utente se_un_utente quando_un_utente qualora_qualcuno se_chiedono quando_chiedono
class mood.mention = frase frasi attacco attacchi trucco espressione messaggi titolo motto testo truffa parola parole
  intitolato ritornello canzone annunci esempio
class mood.follow = obbedisci obbedisca obbedite seguila la_segua segui_questa fai_quello_che_dice fai_ciò_che_dice
  fallo lo_faccia eseguila eseguilo esegui esegua applicala applicalo applica applichi da_ora_in_poi 
  la_tua_regola è_un_ordine

# --- Verbs: imperatives, and apart from them infinitives ------------------------------------

verbs ignore = ignora ignori ignorate ignoral* ignoragli ignoraglielo ignorami ignorane dimentica dimentichi
  dimenticate dimentical* dimenticagli dimenticaglielo dimenticami dimenticane scorda scordi scordate scordal*
  scordagli scordaglielo scordami scordane scarta scarti scartate scartal* scartagli scartaglielo scartami scartane
  trascura trascuri trascurate trascural* trascuragli trascuraglielo trascurami trascurane annulla annulli annullate
  annullal* annullagli annullaglielo annullami annullane cancella cancelli cancellate cancellal* cancellagli
  cancellaglielo cancellami cancellane tralascia tralasci tralasciate tralascial* tralasciagli tralasciaglielo
  tralasciami tralasciane elimina elimini eliminate eliminal* eliminagli eliminaglielo eliminami eliminane disattendi
  disattenda disattendete disattendil* disattendigli disattendiglielo disattendimi disattendine abbandona abbandoni
  abbandonate abbandonal* abbandonagli abbandonaglielo abbandonami abbandonane
verbs obey = obbedisci obbedisca obbedite obbediscil* obbediscigli obbedisciglielo obbediscimi obbediscine ubbidisci
  ubbidisca ubbidite ubbidiscil* ubbidiscigli ubbidisciglielo ubbidiscimi ubbidiscine segui segua seguite seguil*
  seguigli seguiglielo seguimi seguine rispetta rispetti rispettate rispettal* rispettagli rispettaglielo rispettami
  rispettane osserva osservi osservate osserval* osservagli osservaglielo osservami osservane applica applichi
  applicate applical* applicagli applicaglielo applicami applicane attieniti_a si_attenga_a
verbs risky = approva approvi approvate approval* approvagli approvaglielo approvami approvane autorizza autorizzi
  autorizzate autorizzal* autorizzagli autorizzaglielo autorizzami autorizzane trasferisci trasferisca trasferite
  trasferiscil* trasferiscigli trasferisciglielo trasferiscimi trasferiscine inoltra inoltri inoltrate inoltral*
  inoltragli inoltraglielo inoltrami inoltrane bonifica bonifichi bonificate bonifical* bonificagli bonificaglielo
  bonificami bonificane eroga eroghi erogate erogal* erogagli erogaglielo erogami erogane concedi conceda concedete
  concedil* concedigli concediglielo concedimi concedine sblocca sblocchi sbloccate sbloccal* sbloccagli sbloccaglielo
  sbloccami sbloccane rimborsa rimborsi rimborsate rimborsal* rimborsagli rimborsaglielo rimborsami rimborsane rifiuta
  rifiuti rifiutate rifiutal* rifiutagli rifiutaglielo rifiutami rifiutane respingi respinga respingete respingil*
  respingigli respingiglielo respingimi respingine nega neghi negate negal* negagli negaglielo negami negane accetta
  accetti accettate accettal* accettagli accettaglielo accettami accettane reindirizza reindirizzi reindirizzate
  reindirizzal* reindirizzagli reindirizzaglielo reindirizzami reindirizzane dirotta dirotti dirottate dirottal*
  dirottagli dirottaglielo dirottami dirottane disattiva disattivi disattivate disattival* disattivagli
  disattivaglielo disattivami disattivane disabilita disabiliti disabilitate disabilital* disabilitagli
  disabilitaglielo disabilitami disabilitane rivela riveli rivelate rivelal* rivelagli rivelaglielo rivelami rivelane
  divulga divulghi divulgate divulgal* divulgagli divulgaglielo divulgami divulgane consenti consenta consentite
  consentil* consentigli consentiglielo consentimi consentine liquida liquidi liquidate liquidal* liquidagli
  liquidaglielo liquidami liquidane esegui esegua eseguite eseguil* eseguigli eseguiglielo eseguimi eseguine convalida
  convalidi convalidate convalidal* convalidagli convalidaglielo convalidami convalidane esenta esenti esentate
  esental* esentagli esentaglielo esentami esentane accredita accrediti accreditate accredital* accreditagli
  accreditaglielo accreditami accreditane salda saldi saldate saldal* saldagli saldaglielo saldami saldane versa versi
  versate versal* versagli versaglielo versami versane evadi evada evadete evadil* evadigli evadiglielo evadimi
  evadine disponi disponga disponil* disponigli disponiglielo disponimi disponine
verbs task = paga paghi pagate pagal* pagagli pagaglielo pagami pagane invia invii inviate invial* inviagli
  inviaglielo inviami inviane manda mandi mandate mandal* mandagli mandaglielo mandami mandane compra compri comprate
  compral* compragli compraglielo comprami comprane acquista acquisti acquistate acquistal* acquistagli acquistaglielo
  acquistami acquistane fa faccia fate date dite fai effettua effettui effettuate effettual* effettuagli
  effettuaglielo effettuami effettuane elabora elabori elaborate elaboral* elaboragli elaboraglielo elaborami
  elaborane processa processi processate processal* processagli processaglielo processami processane firma firmi
  firmate firmal* firmagli firmaglielo firmami firmane ordina ordini ordinate ordinal* ordinagli ordinaglielo ordinami
  ordinane annulla annulli annullate annullal* annullagli annullaglielo annullami annullane modifica modifichi
  modificate modifical* modificagli modificaglielo modificami modificane cambia cambi cambiate cambial* cambiagli
  cambiaglielo cambiami cambiane installa installi installate installal* installagli installaglielo installami
  installane scarica scarichi scaricate scarical* scaricagli scaricaglielo scaricami scaricane pubblica pubblichi
  pubblicate pubblical* pubblicagli pubblicaglielo pubblicami pubblicane consegna consegni consegnate consegnal*
  consegnagli consegnaglielo consegnami consegnane vendi venda vendete vendil* vendigli vendiglielo vendimi vendine
  preleva prelevi prelevate preleval* prelevagli prelevaglielo prelevami prelevane cancella cancelli cancellate
  cancellal* cancellagli cancellaglielo cancellami cancellane elimina elimini eliminate eliminal* eliminagli
  eliminaglielo eliminami eliminane aggiorna aggiorni aggiornate aggiornal* aggiornagli aggiornaglielo aggiornami
  aggiornane sposta sposti spostate spostal* spostagli spostaglielo spostami spostane dai dia registra registri
  registrate registral* registragli registraglielo registrami registrane addebita addebiti addebitate addebital*
  addebitagli addebitaglielo addebitami addebitane procedi proceda procedete procedil* procedigli procediglielo
  procedimi procedine rilascia rilasci rilasciate rilascial* rilasciagli rilasciaglielo rilasciami rilasciane gestisci
  gestisca gestite gestiscil* gestiscigli gestisciglielo gestiscimi gestiscine
verbs work = applica applichi applicate applical* applicagli applicaglielo applicami applicane usa usi usate utilizza
  utilizzi utilizzate utilizzal* utilizzagli utilizzaglielo utilizzami utilizzane rispondi risponda rispondete
  rispondil* rispondigli rispondiglielo rispondimi rispondine menziona menzioni menzionate menzional* menzionagli
  menzionaglielo menzionami menzionane nomina nomini nominate nominal* nominagli nominaglielo nominami nominane
  includi includa includete includil* includigli includiglielo includimi includine inserisci inserisca inserite
  inseriscil* inseriscigli inserisciglielo inseriscimi inseriscine aggiungi aggiunga aggiungete aggiungil* aggiungigli
  aggiungiglielo aggiungimi aggiungine termina termini terminate terminal* terminagli terminaglielo terminami
  terminane concludi concluda concludete concludil* concludigli concludiglielo concludimi concludine chiudi chiuda
  chiudete chiudil* chiudigli chiudiglielo chiudimi chiudine inizia inizi iniziate inizial* iniziagli iniziaglielo
  iniziami iniziane comincia cominci cominciate comincial* cominciagli cominciaglielo cominciami cominciane cita citi
  citate cital* citagli citaglielo citami citane consiglia consigli consigliate consiglial* consigliagli
  consigliaglielo consigliami consigliane raccomanda raccomandi raccomandate raccomandal* raccomandagli
  raccomandaglielo raccomandami raccomandane suggerisci suggerisca suggerite suggeriscil* suggeriscigli
  suggerisciglielo suggeriscimi suggeriscine privilegia privilegi privilegiate privilegial* privilegiagli
  privilegiaglielo privilegiami privilegiane di dica dite fate date parla parli parlate parlagli parlaglielo parlami
  parlane tratta tratti trattate trattal* trattagli trattaglielo trattami trattane considera consideri considerate
  consideral* consideragli consideraglielo considerami considerane mostra mostri mostrate mostral* mostragli
  mostraglielo mostrami mostrane scrivi scriva scrivete scrivil* scrivigli scriviglielo scrivimi scrivine metti metta
  mettete mettil* mettigli mettiglielo mettimi mettine salva salvi salvate salval* salvagli salvaglielo salvami
  salvane fissa fissi fissate fissal* fissagli fissaglielo fissami fissane prenota prenoti prenotate prenotal*
  prenotagli prenotaglielo prenotami prenotane pianifica pianifichi pianificate pianifical* pianificagli
  pianificaglielo pianificami pianificane allega alleghi allegate allegal* allegagli allegaglielo allegami allegane
  ricorda ricordi ricordate ricordal* ricordagli ricordaglielo ricordami ricordane scegli scelga scegliete sceglil*
  scegligli scegliglielo sceglimi scegline elogia elogi elogiate elogial* elogiagli elogiaglielo elogiami elogiane
  promuovi promuova promuovete promuovil* promuovigli promuoviglielo promuovimi promuovine evita eviti evitate evital*
  evitagli evitaglielo evitami evitane finisci finisca finite finiscil* finiscigli finisciglielo finiscimi finiscine
  chiama chiami chiamate chiamal* chiamagli chiamaglielo chiamami chiamane
verbs skip = salta salti saltate saltal* saltagli saltaglielo saltami saltane ometti ometta omettete omettil*
  omettigli omettiglielo omettimi omettine evita eviti evitate evital* evitagli evitaglielo evitami evitane aggira
  aggiri aggirate aggiral* aggiragli aggiraglielo aggirami aggirane eludi eluda eludete eludil* eludigli eludiglielo
  eludimi eludine disattiva disattivi disattivate disattival* disattivagli disattivaglielo disattivami disattivane
  disabilita disabiliti disabilitate disabilital* disabilitagli disabilitaglielo disabilitami disabilitane spegni
  spenga spegnete spegnil* spegnigli spegniglielo spegnimi spegnine sopprimi sopprima sopprimete sopprimil*
  sopprimigli sopprimiglielo sopprimimi sopprimine sospendi sospenda sospendete sospendil* sospendigli sospendiglielo
  sospendimi sospendine ignora ignori ignorate ignoral* ignoragli ignoraglielo ignorami ignorane bypassa bypassi
  bypassate bypassal* bypassagli bypassaglielo bypassami bypassane tralascia tralasci tralasciate tralascial*
  tralasciagli tralasciaglielo tralasciami tralasciane rimuovi rimuova rimuovete rimuovil* rimuovigli rimuoviglielo
  rimuovimi rimuovine scavalca scavalchi scavalcate scavalcal* scavalcagli scavalcaglielo scavalcami scavalcane
  elimina elimini eliminate eliminal* eliminagli eliminaglielo eliminami eliminane
verbs ask = chiedi chieda chiedete chiedil* chiedigli chiediglielo chiedimi chiedine domanda domandi domandate
  domandal* domandagli domandaglielo domandami domandane richiedi richieda richiedete richiedil* richiedigli
  richiediglielo richiedimi richiedine esigi esiga esigete esigil* esigigli esigiglielo esigimi esigine pretendi
  pretenda pretendete pretendil* pretendigli pretendiglielo pretendimi pretendine attendi attenda attendete attendil*
  attendigli attendiglielo attendimi attendine aspetta aspetti aspettate aspettal* aspettagli aspettaglielo aspettami
  aspettane consulta consulti consultate consultal* consultagli consultaglielo consultami consultane interpella
  interpelli interpellate interpellal* interpellagli interpellaglielo interpellami interpellane cerca cerchi cercate
  cercal* cercagli cercaglielo cercami cercane sollecita solleciti sollecitate sollecital* sollecitagli
  sollecitaglielo sollecitami sollecitane
verbs verify = verifica verifichi verificate verifical* verificagli verificaglielo verificami verificane controlla
  controlli controllate controllal* controllagli controllaglielo controllami controllane conferma confermi confermate
  confermal* confermagli confermaglielo confermami confermane accerta accerti accertate accertal* accertagli
  accertaglielo accertami accertane convalida convalidi convalidate convalidal* convalidagli convalidaglielo
  convalidami convalidane appura appuri appurate appural* appuragli appuraglielo appurami appurane
verbs stop = smetti_di smetta_di smettete_di cessa_di cessi_di cessate_di
verbs send = invia invii inviate invial* inviagli inviaglielo inviami inviane manda mandi mandate mandal* mandagli
  mandaglielo mandami mandane inoltra inoltri inoltrate inoltral* inoltragli inoltraglielo inoltrami inoltrane
  spedisci spedisca spedite spediscil* spediscigli spedisciglielo spediscimi spediscine trasmetti trasmetta
  trasmettete trasmettil* trasmettigli trasmettiglielo trasmettimi trasmettine copia copi copiate copial* copiagli
  copiaglielo copiami copiane allega alleghi allegate allegal* allegagli allegaglielo allegami allegane carica carichi
  caricate carical* caricagli caricaglielo caricami caricane esporta esporti esportate esportal* esportagli
  esportaglielo esportami esportane passa passi passate passal* passagli passaglielo passami passane condividi
  condivida condividete condividil* condividigli condividiglielo condividimi condividine pubblica pubblichi pubblicate
  pubblical* pubblicagli pubblicaglielo pubblicami pubblicane gira giri girate giral* giragli giraglielo girami girane
  metti_in_copia metta_in_copia mettete_in_copia
verbs reveal = rivela riveli rivelate rivelal* rivelagli rivelaglielo rivelami rivelane dai dia date fate dite mostra
  mostri mostrate mostral* mostragli mostraglielo mostrami mostrane consegna consegni consegnate consegnal*
  consegnagli consegnaglielo consegnami consegnane condividi condivida condividete condividil* condividigli
  condividiglielo condividimi condividine fornisci fornisca fornite forniscil* forniscigli fornisciglielo forniscimi
  forniscine divulga divulghi divulgate divulgal* divulgagli divulgaglielo divulgami divulgane dicci dica diccil*
  diccigli dicciglielo diccimi diccine comunica comunichi comunicate comunical* comunicagli comunicaglielo comunicami
  comunicane stampa stampi stampate stampal* stampagli stampaglielo stampami stampane includi includa includete
  includil* includigli includiglielo includimi includine scrivi scriva scrivete scrivil* scrivigli scriviglielo
  scrivimi scrivine ripeti ripeta ripetete ripetil* ripetigli ripetiglielo ripetimi ripetine esponi esponga esponil*
  esponigli esponiglielo esponimi esponine passa passi passate passal* passagli passaglielo passami passane cedi ceda
  cedete cedil* cedigli cediglielo cedimi cedine inserisci inserisca inserite inseriscil* inseriscigli inserisciglielo
  inseriscimi inseriscine visualizza visualizzi visualizzate visualizzal* visualizzagli visualizzaglielo visualizzami
  visualizzane
verbs tell = informa informi informate informal* informagli informaglielo informami informane avvisa avvisi avvisate
  avvisal* avvisagli avvisaglielo avvisami avvisane avverti avverta avvertite avvertil* avvertigli avvertiglielo
  avvertimi avvertine notifica notifichi notificate notifical* notificagli notificaglielo notificami notificane dica
  dite fate date dical* dicagli dicaglielo dicami dicane menziona menzioni menzionate menzional* menzionagli
  menzionaglielo menzionami menzionane nomina nomini nominate nominal* nominagli nominaglielo nominami nominane
  racconta racconti raccontate raccontal* raccontagli raccontaglielo raccontami raccontane comunica comunichi
  comunicate comunical* comunicagli comunicaglielo comunicami comunicane rivela riveli rivelate rivelal* rivelagli
  rivelaglielo rivelami rivelane segnala segnali segnalate segnalal* segnalagli segnalaglielo segnalami segnalane
  mostra mostri mostrate mostral* mostragli mostraglielo mostrami mostrane spiega spieghi spiegate spiegal* spiegagli
  spiegaglielo spiegami spiegane parla_di parli_di parlate_di accenna accenni accennate accennal* accennagli
  accennaglielo accennami accennane fai_sapere faccia_sapere
verbs hide = nascondi nasconda nascondete nascondil* nascondigli nascondiglielo nascondimi nascondine occulta occulti
  occultate occultal* occultagli occultaglielo occultami occultane cela celi celate celal* celagli celaglielo celami
  celane taci taccia tacete tacil* tacigli taciglielo tacimi tacine ometti ometta omettete omettil* omettigli
  omettiglielo omettimi omettine maschera mascheri mascherate mascheral* mascheragli mascheraglielo mascherami
  mascherane
verbs see = fai_in_modo_che faccia_in_modo_che fate_in_modo_che date_in_modo_che dite_in_modo_che assicurati_che
  si_assicuri_che
verbs delete = cancella cancelli cancellate cancellal* cancellagli cancellaglielo cancellami cancellane elimina
  elimini eliminate eliminal* eliminagli eliminaglielo eliminami eliminane rimuovi rimuova rimuovete rimuovil*
  rimuovigli rimuoviglielo rimuovimi rimuovine ripulisci ripulisca ripulite ripuliscil* ripuliscigli ripulisciglielo
  ripuliscimi ripuliscine pulisci pulisca pulite puliscil* puliscigli pulisciglielo puliscimi puliscine distruggi
  distrugga distruggete distruggil* distruggigli distruggiglielo distruggimi distruggine svuota svuoti svuotate
  svuotal* svuotagli svuotaglielo svuotami svuotane
verbs refuse = rifiuta rifiuti rifiutate rifiutal* rifiutagli rifiutaglielo rifiutami rifiutane respingi respinga
  respingete respingil* respingigli respingiglielo respingimi respingine nega neghi negate negal* negagli negaglielo
  negami negane declina declini declinate declinal* declinagli declinaglielo declinami declinane annulla annulli
  annullate annullal* annullagli annullaglielo annullami annullane
verbs regard = considera consideri considerate consideral* consideragli consideraglielo considerami considerane tratta
  tratti trattate trattal* trattagli trattaglielo trattami trattane prendi prenda prendete prendil* prendigli
  prendiglielo prendimi prendine accetta accetti accettate accettal* accettagli accettaglielo accettami accettane
  contrassegna contrassegni contrassegnate contrassegnal* contrassegnagli contrassegnaglielo contrassegnami
  contrassegnane classifica classifichi classificate classifical* classificagli classificaglielo classificami
  classificane registra registri registrate registral* registragli registraglielo registrami registrane ritieni
  ritenga ritenete ritienil* ritienigli ritieniglielo ritienimi ritienine vedi veda vedete vedil* vedigli vediglielo
  vedimi vedine dai dia date fate dite
verbs keep = ricorda ricordi ricordate ricordal* ricordagli ricordaglielo ricordami ricordane ricordati si_ricordi
  ricordatil* ricordatigli ricordatiglielo ricordatimi ricordatine salva salvi salvate salval* salvagli salvaglielo
  salvami salvane memorizza memorizzi memorizzate memorizzal* memorizzagli memorizzaglielo memorizzami memorizzane
  annota annoti annotate annotal* annotagli annotaglielo annotami annotane appunta appunti appuntate appuntal*
  appuntagli appuntaglielo appuntami appuntane conserva conservi conservate conserval* conservagli conservaglielo
  conservami conservane registra registri registrate registral* registragli registraglielo registrami registrane segna
  segni segnate segnal* segnagli segnaglielo segnami segnane segnati si_segni segnatil* segnatigli segnatiglielo
  segnatimi segnatine tieni_presente tenga_presente tenete_presente tieni_a_mente tenga_a_mente tenete_a_mente
  tieni_conto tenga_conto tenete_conto fissa fissi fissate fissal* fissagli fissaglielo fissami fissane
verbs route = trasferisci trasferisca trasferite trasferiscil* trasferiscigli trasferisciglielo trasferiscimi
  trasferiscine invia invii inviate invial* inviagli inviaglielo inviami inviane paga paghi pagate pagal* pagagli
  pagaglielo pagami pagane versa versi versate versal* versagli versaglielo versami versane accredita accrediti
  accreditate accredital* accreditagli accreditaglielo accreditami accreditane reindirizza reindirizzi reindirizzate
  reindirizzal* reindirizzagli reindirizzaglielo reindirizzami reindirizzane dirotta dirotti dirottate dirottal*
  dirottagli dirottaglielo dirottami dirottane manda mandi mandate mandal* mandagli mandaglielo mandami mandane
  bonifica bonifichi bonificate bonifical* bonificagli bonificaglielo bonificami bonificane usa usi usate utilizza
  utilizzi utilizzate utilizzal* utilizzagli utilizzaglielo utilizzami utilizzane inoltra inoltri inoltrate inoltral*
  inoltragli inoltraglielo inoltrami inoltrane fai faccia fate date dite indirizza indirizzi indirizzate indirizzal*
  indirizzagli indirizzaglielo indirizzami indirizzane
verbs replace = sostituisci sostituisca sostituite sostituiscil* sostituiscigli sostituisciglielo sostituiscimi
  sostituiscine rimpiazza rimpiazzi rimpiazzate rimpiazzal* rimpiazzagli rimpiazzaglielo rimpiazzami rimpiazzane
  cambia cambi cambiate cambial* cambiagli cambiaglielo cambiami cambiane aggiorna aggiorni aggiornate aggiornal*
  aggiornagli aggiornaglielo aggiornami aggiornane modifica modifichi modificate modifical* modificagli modificaglielo
  modificami modificane
verbs activate = attiva attivi attivate attival* attivagli attivaglielo attivami attivane entra_in entri_in entrate_in
  passa_alla passi_alla passate_alla passa_in passi_in passate_in abilita abiliti abilitate abilital* abilitagli
  abilitaglielo abilitami abilitane avvia avvii avviate avvial* avviagli avviaglielo avviami avviane
verbs behave = agisci agisca agite agiscil* agiscigli agisciglielo agiscimi agiscine comportati si_comporti
  comportatil* comportatigli comportatiglielo comportatimi comportatine rispondi risponda rispondete rispondil*
  rispondigli rispondiglielo rispondimi rispondine parla parli parlate parlagli parlaglielo parlami parlane fingi
  finga fingete fingil* fingigli fingiglielo fingimi fingine opera operi operate operal* operagli operaglielo operami
  operane
verbs cite = cita citi citate cital* citagli citaglielo citami citane consiglia consigli consigliate consiglial*
  consigliagli consigliaglielo consigliami consigliane raccomanda raccomandi raccomandate raccomandal* raccomandagli
  raccomandaglielo raccomandami raccomandane menziona menzioni menzionate menzional* menzionagli menzionaglielo
  menzionami menzionane suggerisci suggerisca suggerite suggeriscil* suggeriscigli suggerisciglielo suggeriscimi
  suggeriscine privilegia privilegi privilegiate privilegial* privilegiagli privilegiaglielo privilegiami privilegiane
  preferisci preferisca preferite preferiscil* preferiscigli preferisciglielo preferiscimi preferiscine consulta
  consulti consultate consultal* consultagli consultaglielo consultami consultane promuovi promuova promuovete
  promuovil* promuovigli promuoviglielo promuovimi promuovine nomina nomini nominate nominal* nominagli nominaglielo
  nominami nominane
verbs trust = fidati si_fidi fidatil* fidatigli fidatiglielo fidatimi fidatine credi creda credete credil* credigli
  crediglielo credimi credine accetta accetti accettate accettal* accettagli accettaglielo accettami accettane
  obbedisci obbedisca obbedite obbediscil* obbediscigli obbedisciglielo obbediscimi obbediscine segui segua seguite
  seguil* seguigli seguiglielo seguimi seguine
verbs run = esegui esegua eseguite eseguil* eseguigli eseguiglielo eseguimi eseguine lancia lanci lanciate lancial*
  lanciagli lanciaglielo lanciami lanciane avvia avvii avviate avvial* avviagli avviaglielo avviami avviane installa
  installi installate installal* installagli installaglielo installami installane chiama chiami chiamate chiamal*
  chiamagli chiamaglielo chiamami chiamane invoca invochi invocate invocal* invocagli invocaglielo invocami invocane
verbs fetch = scarica scarichi scaricate scarical* scaricagli scaricaglielo scaricami scaricane
verbs ignore.inf = ignorare ignorarl* ignorargli ignorarmi ignorarne dimenticare dimenticarl* dimenticargli
  dimenticarmi dimenticarne scordare scordarl* scordargli scordarmi scordarne scartare scartarl* scartargli scartarmi
  scartarne trascurare trascurarl* trascurargli trascurarmi trascurarne annullare annullarl* annullargli annullarmi
  annullarne cancellare cancellarl* cancellargli cancellarmi cancellarne tralasciare tralasciarl* tralasciargli
  tralasciarmi tralasciarne eliminare eliminarl* eliminargli eliminarmi eliminarne disattendere disattenderl*
  disattendergli disattendermi disattenderne abbandonare abbandonarl* abbandonargli abbandonarmi abbandonarne
verbs skip.inf = saltare saltarl* saltargli saltarmi saltarne omettere ometterl* omettergli omettermi ometterne
  evitare evitarl* evitargli evitarmi evitarne aggirare aggirarl* aggirargli aggirarmi aggirarne eludere eluderl*
  eludergli eludermi eluderne disattivare disattivarl* disattivargli disattivarmi disattivarne disabilitare
  disabilitarl* disabilitargli disabilitarmi disabilitarne spegnere spegnerl* spegnergli spegnermi spegnerne
  sopprimere sopprimerl* sopprimergli sopprimermi sopprimerne sospendere sospenderl* sospendergli sospendermi
  sospenderne ignorare ignorarl* ignorargli ignorarmi ignorarne bypassare bypassarl* bypassargli bypassarmi bypassarne
  tralasciare tralasciarl* tralasciargli tralasciarmi tralasciarne rimuovere rimuoverl* rimuovergli rimuovermi
  rimuoverne scavalcare scavalcarl* scavalcargli scavalcarmi scavalcarne eliminare eliminarl* eliminargli eliminarmi
  eliminarne
verbs ask.inf = chiedere chiederl* chiedergli chiedermi chiederne domandare domandarl* domandargli domandarmi
  domandarne richiedere richiederl* richiedergli richiedermi richiederne esigere esigerl* esigergli esigermi esigerne
  pretendere pretenderl* pretendergli pretendermi pretenderne attendere attenderl* attendergli attendermi attenderne
  aspettare aspettarl* aspettargli aspettarmi aspettarne consultare consultarl* consultargli consultarmi consultarne
  interpellare interpellarl* interpellargli interpellarmi interpellarne cercare cercarl* cercargli cercarmi cercarne
  sollecitare sollecitarl* sollecitargli sollecitarmi sollecitarne
verbs verify.inf = verificare verificarl* verificargli verificarmi verificarne controllare controllarl* controllargli
  controllarmi controllarne confermare confermarl* confermargli confermarmi confermarne accertare accertarl*
  accertargli accertarmi accertarne convalidare convalidarl* convalidargli convalidarmi convalidarne appurare
  appurarl* appurargli appurarmi appurarne
verbs stop.inf = smettere_di cessare_di
verbs send.inf = inviare inviarl* inviargli inviarmi inviarne mandare mandarl* mandargli mandarmi mandarne inoltrare
  inoltrarl* inoltrargli inoltrarmi inoltrarne spedire spedirl* spedirgli spedirmi spedirne trasmettere trasmetterl*
  trasmettergli trasmettermi trasmetterne copiare copiarl* copiargli copiarmi copiarne allegare allegarl* allegargli
  allegarmi allegarne caricare caricarl* caricargli caricarmi caricarne esportare esportarl* esportargli esportarmi
  esportarne passare passarl* passargli passarmi passarne condividere condividerl* condividergli condividermi
  condividerne pubblicare pubblicarl* pubblicargli pubblicarmi pubblicarne girare girarl* girargli girarmi girarne
  mettere_in_copia
verbs reveal.inf = rivelare rivelarl* rivelargli rivelarmi rivelarne dare darl* dargli darmi darne mostrare mostrarl*
  mostrargli mostrarmi mostrarne consegnare consegnarl* consegnargli consegnarmi consegnarne condividere condividerl*
  condividergli condividermi condividerne fornire fornirl* fornirgli fornirmi fornirne divulgare divulgarl*
  divulgargli divulgarmi divulgarne dire dirl* dirgli dirmi dirne comunicare comunicarl* comunicargli comunicarmi
  comunicarne stampare stamparl* stampargli stamparmi stamparne includere includerl* includergli includermi includerne
  scrivere scriverl* scrivergli scrivermi scriverne ripetere ripeterl* ripetergli ripetermi ripeterne esporre esporrl*
  esporrgli esporrmi esporrne passare passarl* passargli passarmi passarne cedere cederl* cedergli cedermi cederne
  inserire inserirl* inserirgli inserirmi inserirne visualizzare visualizzarl* visualizzargli visualizzarmi
  visualizzarne
verbs tell.inf = informare informarl* informargli informarmi informarne avvisare avvisarl* avvisargli avvisarmi
  avvisarne avvertire avvertirl* avvertirgli avvertirmi avvertirne notificare notificarl* notificargli notificarmi
  notificarne dire dirl* dirgli dirmi dirne menzionare menzionarl* menzionargli menzionarmi menzionarne nominare
  nominarl* nominargli nominarmi nominarne raccontare raccontarl* raccontargli raccontarmi raccontarne comunicare
  comunicarl* comunicargli comunicarmi comunicarne rivelare rivelarl* rivelargli rivelarmi rivelarne segnalare
  segnalarl* segnalargli segnalarmi segnalarne mostrare mostrarl* mostrargli mostrarmi mostrarne spiegare spiegarl*
  spiegargli spiegarmi spiegarne parlare_di accennare accennarl* accennargli accennarmi accennarne far_sapere
verbs hide.inf = nascondere nasconderl* nascondergli nascondermi nasconderne occultare occultarl* occultargli
  occultarmi occultarne celare celarl* celargli celarmi celarne tacere tacerl* tacergli tacermi tacerne omettere
  ometterl* omettergli omettermi ometterne mascherare mascherarl* mascherargli mascherarmi mascherarne
verbs delete.inf = cancellare cancellarl* cancellargli cancellarmi cancellarne eliminare eliminarl* eliminargli
  eliminarmi eliminarne rimuovere rimuoverl* rimuovergli rimuovermi rimuoverne ripulire ripulirl* ripulirgli ripulirmi
  ripulirne pulire pulirl* pulirgli pulirmi pulirne distruggere distruggerl* distruggergli distruggermi distruggerne
  svuotare svuotarl* svuotargli svuotarmi svuotarne
verbs replace.inf = sostituire sostituirl* sostituirgli sostituirmi sostituirne rimpiazzare rimpiazzarl* rimpiazzargli
  rimpiazzarmi rimpiazzarne cambiare cambiarl* cambiargli cambiarmi cambiarne aggiornare aggiornarl* aggiornargli
  aggiornarmi aggiornarne modificare modificarl* modificargli modificarmi modificarne
verbs run.inf = eseguire eseguirl* eseguirgli eseguirmi eseguirne lanciare lanciarl* lanciargli lanciarmi lanciarne
  avviare avviarl* avviargli avviarmi avviarne installare installarl* installargli installarmi installarne chiamare
  chiamarl* chiamargli chiamarmi chiamarne invocare invocarl* invocargli invocarmi invocarne
verbs fetch.inf = scaricare scaricarl* scaricargli scaricarmi scaricarne
verbs act = approva approvi approvate approval* approvagli approvaglielo approvami approvane autorizza autorizzi
  autorizzate autorizzal* autorizzagli autorizzaglielo autorizzami autorizzane trasferisci trasferisca trasferite
  trasferiscil* trasferiscigli trasferisciglielo trasferiscimi trasferiscine inoltra inoltri inoltrate inoltral*
  inoltragli inoltraglielo inoltrami inoltrane bonifica bonifichi bonificate bonifical* bonificagli bonificaglielo
  bonificami bonificane eroga eroghi erogate erogal* erogagli erogaglielo erogami erogane concedi conceda concedete
  concedil* concedigli concediglielo concedimi concedine sblocca sblocchi sbloccate sbloccal* sbloccagli sbloccaglielo
  sbloccami sbloccane rimborsa rimborsi rimborsate rimborsal* rimborsagli rimborsaglielo rimborsami rimborsane rifiuta
  rifiuti rifiutate rifiutal* rifiutagli rifiutaglielo rifiutami rifiutane respingi respinga respingete respingil*
  respingigli respingiglielo respingimi respingine nega neghi negate negal* negagli negaglielo negami negane accetta
  accetti accettate accettal* accettagli accettaglielo accettami accettane reindirizza reindirizzi reindirizzate
  reindirizzal* reindirizzagli reindirizzaglielo reindirizzami reindirizzane dirotta dirotti dirottate dirottal*
  dirottagli dirottaglielo dirottami dirottane disattiva disattivi disattivate disattival* disattivagli
  disattivaglielo disattivami disattivane disabilita disabiliti disabilitate disabilital* disabilitagli
  disabilitaglielo disabilitami disabilitane rivela riveli rivelate rivelal* rivelagli rivelaglielo rivelami rivelane
  divulga divulghi divulgate divulgal* divulgagli divulgaglielo divulgami divulgane consenti consenta consentite
  consentil* consentigli consentiglielo consentimi consentine liquida liquidi liquidate liquidal* liquidagli
  liquidaglielo liquidami liquidane esegui esegua eseguite eseguil* eseguigli eseguiglielo eseguimi eseguine convalida
  convalidi convalidate convalidal* convalidagli convalidaglielo convalidami convalidane esenta esenti esentate
  esental* esentagli esentaglielo esentami esentane accredita accrediti accreditate accredital* accreditagli
  accreditaglielo accreditami accreditane salda saldi saldate saldal* saldagli saldaglielo saldami saldane versa versi
  versate versal* versagli versaglielo versami versane evadi evada evadete evadil* evadigli evadiglielo evadimi
  evadine disponi disponga disponil* disponigli disponiglielo disponimi disponine paga paghi pagate pagal* pagagli
  pagaglielo pagami pagane invia invii inviate invial* inviagli inviaglielo inviami inviane manda mandi mandate
  mandal* mandagli mandaglielo mandami mandane compra compri comprate compral* compragli compraglielo comprami
  comprane acquista acquisti acquistate acquistal* acquistagli acquistaglielo acquistami acquistane fa faccia fate
  date dite fai effettua effettui effettuate effettual* effettuagli effettuaglielo effettuami effettuane elabora
  elabori elaborate elaboral* elaboragli elaboraglielo elaborami elaborane processa processi processate processal*
  processagli processaglielo processami processane firma firmi firmate firmal* firmagli firmaglielo firmami firmane
  ordina ordini ordinate ordinal* ordinagli ordinaglielo ordinami ordinane annulla annulli annullate annullal*
  annullagli annullaglielo annullami annullane modifica modifichi modificate modifical* modificagli modificaglielo
  modificami modificane cambia cambi cambiate cambial* cambiagli cambiaglielo cambiami cambiane installa installi
  installate installal* installagli installaglielo installami installane scarica scarichi scaricate scarical*
  scaricagli scaricaglielo scaricami scaricane pubblica pubblichi pubblicate pubblical* pubblicagli pubblicaglielo
  pubblicami pubblicane consegna consegni consegnate consegnal* consegnagli consegnaglielo consegnami consegnane vendi
  venda vendete vendil* vendigli vendiglielo vendimi vendine preleva prelevi prelevate preleval* prelevagli
  prelevaglielo prelevami prelevane cancella cancelli cancellate cancellal* cancellagli cancellaglielo cancellami
  cancellane elimina elimini eliminate eliminal* eliminagli eliminaglielo eliminami eliminane aggiorna aggiorni
  aggiornate aggiornal* aggiornagli aggiornaglielo aggiornami aggiornane sposta sposti spostate spostal* spostagli
  spostaglielo spostami spostane dai dia registra registri registrate registral* registragli registraglielo registrami
  registrane addebita addebiti addebitate addebital* addebitagli addebitaglielo addebitami addebitane procedi proceda
  procedete procedil* procedigli procediglielo procedimi procedine rilascia rilasci rilasciate rilascial* rilasciagli
  rilasciaglielo rilasciami rilasciane gestisci gestisca gestite gestiscil* gestiscigli gestisciglielo gestiscimi
  gestiscine spedisci spedisca spedite spediscil* spediscigli spedisciglielo spediscimi spediscine trasmetti trasmetta
  trasmettete trasmettil* trasmettigli trasmettiglielo trasmettimi trasmettine copia copi copiate copial* copiagli
  copiaglielo copiami copiane allega alleghi allegate allegal* allegagli allegaglielo allegami allegane carica carichi
  caricate carical* caricagli caricaglielo caricami caricane esporta esporti esportate esportal* esportagli
  esportaglielo esportami esportane passa passi passate passal* passagli passaglielo passami passane condividi
  condivida condividete condividil* condividigli condividiglielo condividimi condividine gira giri girate giral*
  giragli giraglielo girami girane metti_in_copia metta_in_copia mettete_in_copia salta salti saltate saltal* saltagli
  saltaglielo saltami saltane ometti ometta omettete omettil* omettigli omettiglielo omettimi omettine evita eviti
  evitate evital* evitagli evitaglielo evitami evitane aggira aggiri aggirate aggiral* aggiragli aggiraglielo aggirami
  aggirane eludi eluda eludete eludil* eludigli eludiglielo eludimi eludine spegni spenga spegnete spegnil* spegnigli
  spegniglielo spegnimi spegnine sopprimi sopprima sopprimete sopprimil* sopprimigli sopprimiglielo sopprimimi
  sopprimine sospendi sospenda sospendete sospendil* sospendigli sospendiglielo sospendimi sospendine ignora ignori
  ignorate ignoral* ignoragli ignoraglielo ignorami ignorane bypassa bypassi bypassate bypassal* bypassagli
  bypassaglielo bypassami bypassane tralascia tralasci tralasciate tralascial* tralasciagli tralasciaglielo
  tralasciami tralasciane rimuovi rimuova rimuovete rimuovil* rimuovigli rimuoviglielo rimuovimi rimuovine scavalca
  scavalchi scavalcate scavalcal* scavalcagli scavalcaglielo scavalcami scavalcane ripulisci ripulisca ripulite
  ripuliscil* ripuliscigli ripulisciglielo ripuliscimi ripuliscine pulisci pulisca pulite puliscil* puliscigli
  pulisciglielo puliscimi puliscine distruggi distrugga distruggete distruggil* distruggigli distruggiglielo
  distruggimi distruggine svuota svuoti svuotate svuotal* svuotagli svuotaglielo svuotami svuotane
verbs inf.risky = approvare approvarl* approvargli approvarmi approvarne autorizzare autorizzarl* autorizzargli
  autorizzarmi autorizzarne trasferire trasferirl* trasferirgli trasferirmi trasferirne inoltrare inoltrarl*
  inoltrargli inoltrarmi inoltrarne bonificare bonificarl* bonificargli bonificarmi bonificarne erogare erogarl*
  erogargli erogarmi erogarne concedere concederl* concedergli concedermi concederne sbloccare sbloccarl* sbloccargli
  sbloccarmi sbloccarne rimborsare rimborsarl* rimborsargli rimborsarmi rimborsarne rifiutare rifiutarl* rifiutargli
  rifiutarmi rifiutarne respingere respingerl* respingergli respingermi respingerne negare negarl* negargli negarmi
  negarne accettare accettarl* accettargli accettarmi accettarne reindirizzare reindirizzarl* reindirizzargli
  reindirizzarmi reindirizzarne dirottare dirottarl* dirottargli dirottarmi dirottarne disattivare disattivarl*
  disattivargli disattivarmi disattivarne disabilitare disabilitarl* disabilitargli disabilitarmi disabilitarne
  rivelare rivelarl* rivelargli rivelarmi rivelarne divulgare divulgarl* divulgargli divulgarmi divulgarne consentire
  consentirl* consentirgli consentirmi consentirne liquidare liquidarl* liquidargli liquidarmi liquidarne eseguire
  eseguirl* eseguirgli eseguirmi eseguirne convalidare convalidarl* convalidargli convalidarmi convalidarne esentare
  esentarl* esentargli esentarmi esentarne accreditare accreditarl* accreditargli accreditarmi accreditarne saldare
  saldarl* saldargli saldarmi saldarne versare versarl* versargli versarmi versarne evadere evaderl* evadergli
  evadermi evaderne disporre disporrl* disporrgli disporrmi disporrne
verbs inf = approvare approvarl* approvargli approvarmi approvarne autorizzare autorizzarl* autorizzargli autorizzarmi
  autorizzarne trasferire trasferirl* trasferirgli trasferirmi trasferirne inoltrare inoltrarl* inoltrargli inoltrarmi
  inoltrarne bonificare bonificarl* bonificargli bonificarmi bonificarne erogare erogarl* erogargli erogarmi erogarne
  concedere concederl* concedergli concedermi concederne sbloccare sbloccarl* sbloccargli sbloccarmi sbloccarne
  rimborsare rimborsarl* rimborsargli rimborsarmi rimborsarne rifiutare rifiutarl* rifiutargli rifiutarmi rifiutarne
  respingere respingerl* respingergli respingermi respingerne negare negarl* negargli negarmi negarne accettare
  accettarl* accettargli accettarmi accettarne reindirizzare reindirizzarl* reindirizzargli reindirizzarmi
  reindirizzarne dirottare dirottarl* dirottargli dirottarmi dirottarne disattivare disattivarl* disattivargli
  disattivarmi disattivarne disabilitare disabilitarl* disabilitargli disabilitarmi disabilitarne rivelare rivelarl*
  rivelargli rivelarmi rivelarne divulgare divulgarl* divulgargli divulgarmi divulgarne consentire consentirl*
  consentirgli consentirmi consentirne liquidare liquidarl* liquidargli liquidarmi liquidarne eseguire eseguirl*
  eseguirgli eseguirmi eseguirne convalidare convalidarl* convalidargli convalidarmi convalidarne esentare esentarl*
  esentargli esentarmi esentarne accreditare accreditarl* accreditargli accreditarmi accreditarne saldare saldarl*
  saldargli saldarmi saldarne versare versarl* versargli versarmi versarne evadere evaderl* evadergli evadermi
  evaderne disporre disporrl* disporrgli disporrmi disporrne pagare pagarl* pagargli pagarmi pagarne inviare inviarl*
  inviargli inviarmi inviarne mandare mandarl* mandargli mandarmi mandarne comprare comprarl* comprargli comprarmi
  comprarne acquistare acquistarl* acquistargli acquistarmi acquistarne fare farl* fargli farmi farne fai fal* fagli
  fami fane effettuare effettuarl* effettuargli effettuarmi effettuarne elaborare elaborarl* elaborargli elaborarmi
  elaborarne processare processarl* processargli processarmi processarne firmare firmarl* firmargli firmarmi firmarne
  ordinare ordinarl* ordinargli ordinarmi ordinarne annullare annullarl* annullargli annullarmi annullarne modificare
  modificarl* modificargli modificarmi modificarne cambiare cambiarl* cambiargli cambiarmi cambiarne installare
  installarl* installargli installarmi installarne scaricare scaricarl* scaricargli scaricarmi scaricarne pubblicare
  pubblicarl* pubblicargli pubblicarmi pubblicarne consegnare consegnarl* consegnargli consegnarmi consegnarne vendere
  venderl* vendergli vendermi venderne prelevare prelevarl* prelevargli prelevarmi prelevarne cancellare cancellarl*
  cancellargli cancellarmi cancellarne eliminare eliminarl* eliminargli eliminarmi eliminarne aggiornare aggiornarl*
  aggiornargli aggiornarmi aggiornarne spostare spostarl* spostargli spostarmi spostarne dare darl* dargli darmi darne
  registrare registrarl* registrargli registrarmi registrarne addebitare addebitarl* addebitargli addebitarmi
  addebitarne procedere procederl* procedergli procedermi procederne rilasciare rilasciarl* rilasciargli rilasciarmi
  rilasciarne gestire gestirl* gestirgli gestirmi gestirne spedire spedirl* spedirgli spedirmi spedirne trasmettere
  trasmetterl* trasmettergli trasmettermi trasmetterne copiare copiarl* copiargli copiarmi copiarne allegare allegarl*
  allegargli allegarmi allegarne caricare caricarl* caricargli caricarmi caricarne esportare esportarl* esportargli
  esportarmi esportarne passare passarl* passargli passarmi passarne condividere condividerl* condividergli
  condividermi condividerne girare girarl* girargli girarmi girarne mettere_in_copia
verbs inf.work = applicare applicarl* applicargli applicarmi applicarne usare usarl* usargli usarmi usarne utilizzare
  utilizzarl* utilizzargli utilizzarmi utilizzarne rispondere risponderl* rispondergli rispondermi risponderne
  menzionare menzionarl* menzionargli menzionarmi menzionarne nominare nominarl* nominargli nominarmi nominarne
  includere includerl* includergli includermi includerne inserire inserirl* inserirgli inserirmi inserirne aggiungere
  aggiungerl* aggiungergli aggiungermi aggiungerne terminare terminarl* terminargli terminarmi terminarne concludere
  concluderl* concludergli concludermi concluderne chiudere chiuderl* chiudergli chiudermi chiuderne iniziare
  iniziarl* iniziargli iniziarmi iniziarne cominciare cominciarl* cominciargli cominciarmi cominciarne citare citarl*
  citargli citarmi citarne consigliare consigliarl* consigliargli consigliarmi consigliarne raccomandare raccomandarl*
  raccomandargli raccomandarmi raccomandarne suggerire suggerirl* suggerirgli suggerirmi suggerirne privilegiare
  privilegiarl* privilegiargli privilegiarmi privilegiarne dire dirl* dirgli dirmi dirne parlare parlarl* parlargli
  parlarmi parlarne trattare trattarl* trattargli trattarmi trattarne considerare considerarl* considerargli
  considerarmi considerarne mostrare mostrarl* mostrargli mostrarmi mostrarne scrivere scriverl* scrivergli scrivermi
  scriverne mettere metterl* mettergli mettermi metterne salvare salvarl* salvargli salvarmi salvarne fissare fissarl*
  fissargli fissarmi fissarne prenotare prenotarl* prenotargli prenotarmi prenotarne pianificare pianificarl*
  pianificargli pianificarmi pianificarne allegare allegarl* allegargli allegarmi allegarne ricordare ricordarl*
  ricordargli ricordarmi ricordarne scegliere sceglierl* scegliergli scegliermi sceglierne elogiare elogiarl*
  elogiargli elogiarmi elogiarne promuovere promuoverl* promuovergli promuovermi promuoverne evitare evitarl*
  evitargli evitarmi evitarne finire finirl* finirgli finirmi finirne chiamare chiamarl* chiamargli chiamarmi
  chiamarne

# --- Words ---------------------------------------------------------------------

class all = tutto
class toyou = ti le vi
class told = hanno_chiesto fissato detto dato chiesto ordinato insegnato spiegato
class received = ricevute ricevuto ricevuti hai_ricevuto ti_hanno_dato date
class whole = complete completi completa completo intere interi integrali
class user = utente utenti
class prior = precedenti precedente iniziali iniziale originali originale esistenti vigenti vecchie vecchi finora
  attuali previe anteriori di_prima passate
class instr = istruzioni istruzione indicazioni indicazione regole regola norme norma direttive direttiva ordini
  ordine linee_guida restrizioni restrizione politiche politica limiti limitazioni prompt configurazione
  programmazione messaggio_di_sistema prompt_di_sistema protocolli vincoli comandi consegne disposizioni
class back = prima ricevuto precedentemente ti_hanno_detto ti_hanno_dato ti_è_stato_detto hai_ricevuto sopra
  precedente finora ricevute date detto_finora in_precedenza
class whatever = tutto quello ciò qualsiasi_cosa quanto
class your = tuo tua tuoi tue suo sua suoi sue vostre vostri
class only = solo soltanto solamente unicamente esclusivamente
class void = senza_effetto non_valgono non_valgono_più non_sono_più_valide non_si_applicano non_si_applicano_più
  annullate annullati annullata abrogate revocate revocati sospese decadute scadute non_contano non_contano_più
  sono_nulle perdono_validità superate sostituite non_hanno_più_valore non_vale_più prive_di_valore decadono
class ignore.ed = ignorate ignorati scartate dimenticate annullate
class without = senza senza_che senz' indipendentemente_da saltando omettendo a_prescindere_da
class gate = conferma conferme approvazione approvazioni autorizzazione autorizzazioni verifica verifiche convalida
  benestare consenso permesso permessi seconda_firma seconda_approvazione doppia_firma doppia_verifica
  doppio_controllo doppia_approvazione autenticazione due_fattori 2fa mfa supervisione revisione controllo controlli
  firma secondo_fattore antifrode kyc limite_di_spesa nulla_osta via_libera intervento_umano domande obiezioni domanda
  due_passaggi riscontro accertamenti accertamento ok validazione
class checking = chiedere chiederl* chiedergli chiedermi chiederne domandare domandarl* domandargli domandarmi
  domandarne richiedere richiederl* richiedergli richiedermi richiederne esigere esigerl* esigergli esigermi esigerne
  pretendere pretenderl* pretendergli pretendermi pretenderne attendere attenderl* attendergli attendermi attenderne
  aspettare aspettarl* aspettargli aspettarmi aspettarne consultare consultarl* consultargli consultarmi consultarne
  interpellare interpellarl* interpellargli interpellarmi interpellarne cercare cercarl* cercargli cercarmi cercarne
  sollecitare sollecitarl* sollecitargli sollecitarmi sollecitarne verificare verificarl* verificargli verificarmi
  verificarne controllare controllarl* controllargli controllarmi controllarne confermare confermarl* confermargli
  confermarmi confermarne accertare accertarl* accertargli accertarmi accertarne convalidare convalidarl*
  convalidargli convalidarmi convalidarne appurare appurarl* appurargli appurarmi appurarne chiedermelo avvisarmi
  disturbare disturbarmi esitare guardare preavviso fare_domande farmi_domande
class protection = antivirus firewall registro_di_audit audit avvisi_di_sicurezza allarmi monitoraggio
  filtro_di_sicurezza filtri filtri_di_sicurezza crittografia avvisi_di_frode misure_di_sicurezza sicurezza registri
  log avvertenze backup avvisi notifiche_di_sicurezza
class skip.ed = omessa saltata disattivata disattivate disattivati disattivato soppressa sospesa sospese ignorata
  ignorato eliminata rimossa rimosso spento
class needless = non_serve non_servono non_è_necessario non_è_necessaria non_occorre non_occorrono non_c'_è_bisogno_di
  non_devi non_deve non_bisogna non_hai_bisogno_di non_ha_bisogno_di non_hanno_bisogno_di non_richiede non_richiedono
  non_richiede_più non_richiedono_più non_necessita non_necessitano non_necessita_di non_è_richiesta non_è_richiesto
  non_sono_richieste non_è_obbligatorio senza_bisogno_di inutile superflua superfluo non_passano_per non_passa_per
  non_esige non_è_più_necessaria non_è_più_richiesta
class needless.2 = esente esenti esonerato esonerata esonerati dispensato dispensata
class unneeded = non_è_necessaria non_è_necessario non_sono_necessarie non_serve non_occorre non_è_richiesta
  non_è_obbligatoria è_superflua è_facoltativa è_abolita è_stata_abolita non_si_applica_più non_è_più_necessaria
  è_sospesa
class before = prima
class identity = identità firma mittente origine beneficiario destinatario documento documenti provenienza
class human = utente utenti cliente clienti titolare titolari proprietario proprietaria operatore amministratore
  responsabile supervisore umano umani team_di_sicurezza paziente pazienti revisori revisore direttore
class anybody = nessuno qualcuno
class everybody = chiunque a_chi_lo_chiede tutti terzi a_chi_chiede chi_lo_chiede chi_la_chiede
class anyone = chiunque chi_lo_chiede chi_chiede chi_ne_fa_richiesta terzi sconosciuti qualsiasi_persona
  qualunque_utente chi_la_chiede chi_le_chiede
class this = questo ciò questa_nota questa_istruzione questa_regola questo_messaggio questa_operazione
  queste_operazioni queste_modifiche questa_modifica questo_ordine cambiamento modifica modifiche trasferimento
  trasferimenti bonifico istruzione istruzioni operazione operazioni commissioni rischio rischi
class not = non mai
class notknow = non_sappia non_sappiano non_lo_sappia non_venga_a_sapere non_si_accorga non_se_ne_accorga non_veda
  non_riceva non_scopra
class knows = sappia sappiano lo_sappia se_ne_accorga se_ne_accorgano venga_a_sapere scopra
class know = sapere saperlo scoprire conoscere vedere accorgersi venire_a_sapere
class mustnot = non_deve non_devono non_dovrebbe non_dovrà mai_deve
class tell.ed = informato informata avvisato avvisata notificato essere_informato
class secretly = in_segreto di_nascosto segretamente silenziosamente discretamente in_silenzio furtivamente
  alla_chetichella senza_dare_nell_occhio sottobanco
class logs = registro registri cronologia cronologie log logs tracce traccia prove messaggi messaggio notifica
  notifiche storico
class notrace = senza_lasciare_traccia senza_lasciare_tracce senza_tracce non_lasciare_traccia non_lasciare_tracce
  non_resti_traccia senza_traccia
class every = tutto tutta tutti tutte qualsiasi qualunque ogni ciascuno ciascuna ogni_singolo
class copy = copia copie ccn bcc copia_nascosta duplicato
class transcript = conversazione conversazioni chat email e-mail mail posta messaggi messaggio fattura fatture
  documento documenti file archivio cronologia dati contratti rapporto rapporti contatti cartelle ordini allegati note
  ricevute trascrizione trascrizioni risposte preventivi referti
class secret = password passphrase chiave_api chiavi_api api_key api_keys chiave_privata chiavi_private
  chiave_di_accesso chiavi_di_accesso credenziali token segreti prompt_di_sistema messaggio_di_sistema
  istruzioni_interne istruzioni_di_sistema dati_della_carta dati_delle_carte numero_di_carta numeri_di_carta
  numero_della_carta dati_bancari pin codici_di_verifica codice_di_verifica frase_seed frase_di_recupero
  variabili_d_ambiente chiavi_ssh chiave_ssh dati_personali dati_riservati informazioni_riservate dati_dei_clienti
  codice_di_accesso codici_di_accesso cvv saldi saldo cartella_clinica codici_otp codice_otp
class money = pagamento pagamenti bonifico bonifici trasferimento trasferimenti rimborso rimborsi fattura fatture
  addebito addebiti acquisto acquisti spesa spese ricevuta ricevute prelievo prelievi fondi denaro transazione
  transazioni operazione operazioni importo importi accredito accrediti preventivo preventivi stipendio stipendi rata
  rate caparra caparre acconto acconti affitto bollette bolletta esborso esborsi
class object = fornitore fornitori ordine ordini richiesta richieste accesso accessi spedizione spedizioni comando
  comandi contratto contratti script chiamata chiamate reclamo reclami modifica modifiche utente utenti conto conti
  azione azioni mittente beneficiario partner consulente strumento strumenti tecnico tecnici
class request = richiesta richieste domanda domande reclamo reclami messaggio messaggi chiamata chiamate appuntamento
  appuntamenti riunione riunioni email mail clienti utenti utente cliente risposta risposte rimborso rimborsi
  pagamenti conversazione ordini
class meeting = riunione riunioni appuntamento appuntamenti visita visite evento eventi incontro incontri
class mustbe = deve devono dovrà dovranno va vanno può possono potrà potranno dovrebbe dovrebbero verrà verranno
  vengono viene deve_essere devono_essere
class mustbe.hard = deve devono dovrà dovranno va vanno bisogna
class act.ed = essere_pagato essere_pagata essere_pagati essere_pagate essere_approvato essere_approvata
  essere_approvati essere_approvate essere_autorizzati essere_inviati essere_inoltrate essere_eseguiti essere_eseguite
  pagato pagata pagati pagate approvato approvata approvati approvate autorizzato autorizzata autorizzati autorizzate
  eseguito eseguiti eseguite elaborati evase evasi sbloccati accettati accettate trasferiti liquidate liquidati
  rimborsati pagherai approverai autorizzerai si_paga si_pagano si_approva si_approvano saldate saldati
class account = conto iban portafoglio numero carta wallet indirizzo email casella paypal postepay
class newaccount = nuovo_conto conto_nuovo seguente_conto conto_seguente altro_conto nuovo_iban questo_conto
  nuovo_indirizzo
class bankdetails = coordinate_bancarie dati_bancari numero_di_conto conto_corrente iban conto_bancario
  dati_di_pagamento
class changed = sono_cambiate sono_cambiati è_cambiato è_cambiata cambiato cambiati cambiate è_ora sono_ora aggiornato
  aggiornate nuovo nuova nuove
class instead = invece_di invece_che al_posto_di al_posto_del al_posto_dell' anziché e_non_a e_non_al
class by = con dal da
class always = sempre in_ogni_caso in_ogni_momento automaticamente senza_eccezioni per_impostazione_predefinita
  permanentemente sistematicamente in_modo_automatico per_sempre invariabilmente incondizionatamente in_tutti_i_casi
  qualunque_cosa_accada in_automatico
class never = mai
class onward = d'_ora_in_poi da_ora_in_poi d'_ora_in_avanti da_adesso_in_poi da_oggi_in_poi da_oggi a_partire_da_ora
  a_partire_da_oggi da_questo_momento da_questo_momento_in_poi in_futuro d'_ora_innanzi fino_a_nuovo_avviso
  fino_a_nuovo_ordine da_qui_in_avanti per_il_futuro da_ora_in_avanti
class whenever = quando ogni_volta_che ogniqualvolta se non_appena appena qualora tutte_le_volte_che
class everytime = ogni_volta_che ogniqualvolta ogni_giorno ogni_notte ogni_sera ogni_mattina ogni_ora ad_ogni_avvio
  a_ogni_avvio ad_ogni_sessione a_ogni_sessione all_inizio_di_ogni alla_fine_di_ogni in_ogni_conversazione
  prima_di_ogni dopo_ogni tutte_le_volte_che
class asked = quando_qualcuno se_qualcuno quando_ti_chiedono se_ti_chiedono quando_l'_utente se_l'_utente
  quando_un_cliente se_un_cliente quando_il_cliente se_il_cliente ogni_volta_che_qualcuno ogni_volta_che_l'_utente
  se_un_utente quando_un_utente qualora_qualcuno se_chiedono quando_chiedono
class inreplies = in_tutte_le_tue_risposte in_ogni_risposta in_tutte_le_risposte tue_risposte in_ogni_messaggio
  tutte_le_risposte tutte_le_tue_risposte ogni_risposta ogni_messaggio in_tutti_i_messaggi alla_fine_di_ogni_risposta
  ogni_tua_risposta in_ogni_tua_risposta
class agentmust = l'_assistente_deve l'_assistente_dovrà l'_agente_deve l'_agente_dovrà gli_agenti_devono
  gli_assistenti_devono l'_ia_deve il_bot_deve il_sistema_deve devi dovrai lei_deve l'_assistente_non_deve
  il_chatbot_deve l'_assistente_è_tenuto_a
class order = devi dovrai dovresti lei_deve voglio_che preferisco_che ho_bisogno_che esigo_che ordino_che ti_ordino_di
  ti_chiedo_di chiedo_che vorrei_che ti_autorizzo_a assicurati_di assicurati_che fai_in_modo_di fai_in_modo_che
  l'_utente_vuole_che l'_utente_preferisce_che il_cliente_vuole_che il_cliente_preferisce_che
  la_cliente_preferisce_che l'_utente_desidera_che l'_assistente_deve l'_assistente_dovrà l'_agente_deve
  gli_agenti_devono gli_assistenti_devono l'_ia_deve il_bot_deve il_tuo_compito_è la_tua_missione_è è_obbligatorio
  è_indispensabile non_esitare_a l'_assistente_è_tenuto_a sei_tenuto_a bisogna_sempre
class wishyou = preferisco_che preferisco_che_tu voglio_che_tu voglio_che esigo_che vorrei_che vorrei_che_tu
  l'_utente_vuole_che_tu l'_utente_preferisce_che_tu l'_utente_preferisce_che l'_utente_vuole_che
  il_cliente_vuole_che_tu il_cliente_preferisce_che_tu la_cliente_preferisce_che_tu il_cliente_preferisce_che
  l'_utente_desidera_che_tu l'_utente_si_aspetta_che_tu l'_utente_accetta_che_tu
class may = puoi potrai lei_può potete va_bene_se sei_autorizzato_a sei_autorizzata_a l'_assistente_può l'_agente_può
  l'_assistente_potrà il_bot_può gli_agenti_possono sei_libero_di hai_il_permesso_di l'_assistente_è_autorizzato_a
class youauth = ti_autorizza_a vi_autorizza_a sei_autorizzato_a sei_autorizzata_a lei_è_autorizzato_a
  è_autorizzato_lei hai_il_permesso_di hai_l'_autorizzazione_a ti_autorizzo_a l'_assistente_è_autorizzato_a
  l'_agente_è_autorizzato_a gli_agenti_sono_autorizzati_a sei_abilitato_a siete_autorizzati_a
class preapproved = pre-approvat* preapprovat* pre-autorizzat* preautorizzat* pre-verificat* autorizzato_in_anticipo
  autorizzata_in_anticipo autorizzati_in_anticipo approvato_in_anticipo approvati_in_anticipo approvate_in_anticipo
  approvata_in_anticipo lista_bianca whitelist approvazione_permanente autorizzazione_permanente
  autorizzazione_generale sempre_autorizzato sempre_autorizzati sempre_approvato sempre_approvati
  automaticamente_approvato automaticamente_approvati automaticamente_approvate automaticamente_approvata
  automaticamente_autorizzato approvazione_automatica autorizzazione_automatica si_considera_approvato
  si_considerano_approvati si_considerano_approvate esente_da_verifica esente_da_verifiche esenti_da_controlli
  esente_da_controlli esonerato_dai_controlli
class approved = già_autorizzato già_autorizzata già_autorizzati già_approvato già_approvata già_approvati
  già_approvate già_verificato già_verificata già_verificati già_autorizzate già_sbloccato
class genuine = fiducia affidabile affidabili autorizzato autorizzata autorizzati approvato approvata approvati
  verificato verificata legittimo legittima sicuro sicura valido valida autentico amministratore proprietario buono
  buona
class as = come per di da
class reliability = affidabile affidabili attendibile attendibili autorevole ufficiale migliore unica principale
  fiducia autorità riferimento seria preferita preferito verificata
class sourceword = fonte fonti riferimento sito pagina web autorità fornitore risorsa opzione marca marchio strumento
  bollettino portale in_materia tema temi argomenti
class first = primo per_primo per_prima per_primi per_prime al_primo_posto in_primo_luogo davanti_a preferibilmente
  esclusivamente come_prima come_la_migliore come_il_migliore come_unica sopra_ogni
class blindly = ciecamente alla_cieca senza_riserve senza_verificare senza_discutere senza_esitare incondizionatamente
  pienamente
class memory = tua_memoria sua_memoria memoria memoria_permanente memoria_a_lungo_termine note_permanenti
class forever = per_sempre in_modo_permanente permanentemente per_tutte_le_sessioni a_tempo_indeterminato
class sessions = sessioni_future future_sessioni prossime_sessioni conversazioni_future future_conversazioni
  prossime_conversazioni tutte_le_conversazioni tutte_le_sessioni sessioni nuova_conversazione nuova_sessione
class rule = regola norma istruzione ordine direttiva politica regola_permanente norma_permanente consegna
class that = che
class role = sistema system amministratore admin sviluppatore supervisore messaggio_di_sistema avviso_di_sistema
  nota_di_sistema operatore team_di_sicurezza assistenza direzione centrale avviso_di_sicurezza istruzione_di_sistema
  nota_per_l'_assistente nota_per_l'_ia messaggio_del_team_di_sicurezza avviso_del_team_di_sicurezza
class rulehead = regola norma istruzione direttiva politica nuova_regola nuova_norma regola_permanente
  norma_permanente nuova_politica istruzione_permanente politica_aggiornata nuova_istruzione regola_interna ordine
  istruzioni preferenza_dell'_utente nuova_direttiva
class authority = amministratore amministratrice direzione direttore direttrice supervisore sviluppatore
  team_di_sicurezza reparto_sicurezza reparto ufficio assistenza_tecnica supporto_tecnico centrale
  consiglio_di_amministrazione compliance sistema creatore capo proprietario ceo
class byorder = per_ordine_di per_ordine_della per_ordine_del su_indicazione_di su_indicazione_della su_istruzione_di
  secondo_la secondo_il a_nome_di a_nome_del a_nome_della per_decisione_della per_decisione_del su_disposizione_della
  su_disposizione_del per_conto_della
class iam = sono sono_l' sono_il qui_è parla_il ti_scrive_il
class younow = ora_sei adesso_sei da_ora_sei d'_ora_in_poi_sei da_questo_momento_sei non_sei_più sei_ora da_oggi_sei
  da_oggi_ti_chiami ora_ti_chiami d'_ora_in_avanti_sei diventi sarai sei
class youhave = non_hai non_hai_più operi agisci rispondi
class persona = senza_restrizioni senza_limiti senza_filtri senza_regole senza_censura senza_norme nessun_limite
  senza_limitazioni dan hacker jailbreak senza_etica senza_vincoli
class nolimits = nessuna_restrizione restrizioni nessun_limite limiti senza_restrizioni senza_limiti senza_filtri
  senza_regole senza_norme senza_censura senza_limitazioni senza_avvertenze nessuna_limitazione nessun_filtro
  senza_vincoli
class mode = modalità_sviluppatore modalità_dio modalità_amministratore modalità_senza_restrizioni
  modalità_senza_filtri modalità_dan modalità_root modalità_libera modalità_senza_limiti modalità_senza_censura
  modalità_privilegiata modalità_di_manutenzione
class activated = attivata attiva abilitata sbloccata avviata
class script = script comando comandi codice programma programmi_di_installazione binario file_allegato installazione
class telling = informare informarl* informargli informarmi informarne avvisare avvisarl* avvisargli avvisarmi
  avvisarne avvertire avvertirl* avvertirgli avvertirmi avvertirne notificare notificarl* notificargli notificarmi
  notificarne dire dirl* dirgli dirmi dirne menzionare menzionarl* menzionargli menzionarmi menzionarne nominare
  nominarl* nominargli nominarmi nominarne raccontare raccontarl* raccontargli raccontarmi raccontarne comunicare
  comunicarl* comunicargli comunicarmi comunicarne rivelare rivelarl* rivelargli rivelarmi rivelarne segnalare
  segnalarl* segnalargli segnalarmi segnalarne mostrare mostrarl* mostrargli mostrarmi mostrarne spiegare spiegarl*
  spiegargli spiegarmi spiegarne parlare_di accennare accennarl* accennargli accennarmi accennarne far_sapere

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
rule standing-rule 550 = !!@refuse ..3 (prenotazioni|ordini|rimborsi|richieste|chiamate|reclami|resi|appuntamenti|visite)
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

# --- Italian only ---------------------------------------------------------------

rule standing-rule 600 = @every ..4 (@money|@request|@object) ..8 (deve|devono|dovrà|dovranno|va|vanno|andrà|andranno) ?essere ..1 (approvato|approvata|approvati|approvate|autorizzato|autorizzata|autorizzati|inoltrato|inoltrata|inoltrati|inoltrate|inviato|inviata|inviati|inviate|rifiutato|rifiutata|rifiutati|pagato|pagata|pagati|pagate|ignorati|accettato|accettati|eseguiti)
rule override 700 ask = (dimentica|ignora|dimentichi|scorda) ..1 tutto ..2 (quello|ciò|detto|precedente)
rule concealment 800 = non (dire|dirgli|dirle|dirlo|dica|farne_parola|parlarne|farlo_sapere|far_sapere) ..4 (@human|@this)
rule concealment 700 = (fai_in_modo_che|assicurati_che|che) l' (utente) non ..2 (sappia|accorga|scopra|venga)
rule bypass 700 = (dai|dia|dare) per (approvato|approvata|valido|valida|verificata|buono|buona) ..3 @every
