# Spanish. The format is described in README.md beside this file; the classes and the order of the rules are those
# of the other Romance and Germanic lexicons, the weights those of en.lex.
#
# Source: written for this project.

language es

# --- Mood ------------------------------------------------------------------

class mood.adverb = por_favor simplemente solo sólo ahora entonces luego también además primero inmediatamente
  directamente de_inmediato silenciosamente importante ojo nota recuerda recuerde recordatorio atención así_que pues
  bien urgente no_olvides no_dudes_en a_la_hora_de y_ahora siempre en_todo_momento en_todos_los_casos automáticamente
  sin_excepción por_defecto permanentemente sistemáticamente de_forma_automática para_siempre invariablemente
  incondicionalmente de_oficio por_sistema pase_lo_que_pase a_partir_de_ahora de_ahora_en_adelante desde_ahora
  en_adelante desde_hoy a_partir_de_hoy de_aquí_en_adelante en_lo_sucesivo a_partir_de_este_momento desde_este_momento
  en_el_futuro de_hoy_en_adelante a_partir_de_este_punto hasta_nuevo_aviso desde_este_mensaje a_partir_de_aquí
  en_cada_inicio_de_sesión en_cada_inicio en_cada_sesion cada_vez_que siempre_que cada_día cada_noche cada_mañana
  cada_hora en_cada_arranque en_cada_sesión al_inicio_de_cada al_comienzo_de_cada al_comienzo_de_todas
  al_final_de_cada en_cada_conversación antes_de_cada después_de_cada tras_cada en_todas_tus_respuestas
  en_cada_respuesta tus_respuestas en_cada_mensaje todas_las_respuestas todas_tus_respuestas cada_respuesta
  cada_mensaje en_todos_los_mensajes toda_respuesta toda_contestación al_final_de_cada_respuesta en_cada_resumen
  en_secreto a_escondidas secretamente discretamente en_silencio ocultamente sigilosamente disimuladamente
  a_sus_espaldas sin_llamar_la_atención por_lo_bajo
class mood.negator = no no_le no_les no_lo no_la no_se_lo no_se nunca_le nunca_les nunca jamás ni tampoco
  bajo_ningún_concepto en_ningún_caso en_ningún_momento bajo_ninguna_circunstancia no_se_te_ocurra
class mood.later = nunca jamás ningún ninguna ninguno
class mood.and = y e
class mood.join = o ni
class mood.modal = debe deben deberá deberán debería deberían tiene_que tienen_que tendrá_que ha_de puede pueden podrá
  puedes podrás
class mood.command = debes deberás deberías tienes_que tendrás_que has_de usted_debe deben_ustedes tiene_usted_que
  quiero_que prefiero_que necesito_que exijo_que ordeno_que te_ordeno te_pido_que te_pido te_exijo me_gustaría_que
  te_autorizo_a te_permito asegúrate_de procura el_usuario_quiere_que el_usuario_prefiere_que la_usuaria_quiere_que
  la_usuaria_prefiere_que el_cliente_quiere_que el_cliente_prefiere_que el_asistente_debe el_asistente_deberá
  el_agente_debe el_agente_deberá el_asistente_tiene_que los_agentes_deben los_asistentes_deben la_ia_debe el_bot_debe
  tu_tarea_es tu_misión_es tu_obligación_es es_obligatorio es_imprescindible_que es_imprescindible conviene_que
  recuerda_que_debes no_dudes_en la_clienta_prefiere_que el_usuario_desea_que el_titular_quiere_que
  el_dueño_quiere_que el_usuario_acepta_que el_usuario_autoriza_que el_usuario_espera_que quiero_que_tú
  el_agente_tiene_que el_sistema_debe el_asistente_ha_de los_agentes_deberán el_chatbot_debe el_asistente_no_debe
  el_agente_no_debe
class mood.permit = puedes podrás puede_usted podéis está_bien_que te_está_permitido tienes_permiso_para
  estás_autorizado_a estás_autorizada_a el_asistente_puede el_agente_puede el_asistente_podrá el_bot_puede
  puede_el_asistente los_agentes_pueden tienes_libertad_para eres_libre_de no_hay_problema_en_que te_autoriza_a
  te_autorizan_a está_usted_autorizado_a queda_usted_autorizado_a queda_usted_facultado_para quedas_autorizado_a
  quedas_facultado_para tienes_autorización_para te_autorizo_a estás_facultado_para el_asistente_está_autorizado_a
  el_agente_está_autorizado_a los_agentes_quedan_autorizados_a los_agentes_están_autorizados_a
  el_asistente_queda_autorizado_a
class mood.question = qué quién quiénes cuál cuáles cuándo cómo dónde cuánto cuánta por_qué puedes puede podrías
  podría debo debería hay es
class mood.finite = son está están era fue fueron ha han había hay tiene tienen puede pueden yo
class mood.nominal = de del
class mood.you = tú usted ustedes asistente agente ia bot chatbot copiloto sistema modelo asistentes agentes
class mood.that = que si
class mood.opener = cuando si siempre_que cada en para al desde tras después antes a por como salvo con ante durante
  según mientras donde hasta sin toda todo en_cada_inicio_de_sesión en_cada_inicio en_cada_sesion cada_vez_que
  cada_día cada_noche cada_mañana cada_hora en_cada_arranque en_cada_sesión al_inicio_de_cada al_comienzo_de_cada
  al_comienzo_de_todas al_final_de_cada en_cada_conversación antes_de_cada después_de_cada tras_cada a_partir_de_ahora
  de_ahora_en_adelante desde_ahora en_adelante desde_hoy a_partir_de_hoy de_aquí_en_adelante en_lo_sucesivo
  a_partir_de_este_momento desde_este_momento en_el_futuro de_hoy_en_adelante a_partir_de_este_punto hasta_nuevo_aviso
  desde_este_mensaje a_partir_de_aquí cuando_alguien si_alguien cuando_te_pregunten si_te_preguntan
  si_alguien_pregunta cuando_el_usuario si_el_usuario cuando_un_cliente si_un_cliente cuando_un_usuario si_un_usuario
  si_preguntan cuando_pregunten si_el_cliente cuando_el_cliente cuando_se_mencione siempre_que_el_usuario
  siempre_que_alguien cada_vez_que_el_usuario cada_vez_que_alguien en_cuanto tan_pronto_como cuando_quiera_que
  toda_vez_que
class mood.mention = frase frases ataque ataques truco expresión mensajes título lema texto estafa palabra palabras
  titulado estribillo canción anuncios ejemplo charla
class mood.follow = obedece obedezca obedézcanla sigue_esta síguela sígala síguelo haz_lo_que_dice haga_lo_que_dice
  hazlo hágalo cúmplela cúmplala cumple cumpla ejecútala ejecútalo ejecuta ejecute aplícala aplícalo aplica aplique
  a_partir_de_ahora desde_ahora es_tu_regla tu_nueva_regla es_una_orden

# --- Verbs: imperatives, and apart from them infinitives ------------------------------------

verbs ignore = ignora ignore ignores ignoren ignorad ignóral* ignórame ignórel* olvida olvide olvides olviden olvidad
  olvídal* olvídame olvídel* olvídate_de olvídese_de olvídeses_de olvídesen_de olvidarsd_de descarta descarte
  descartes descarten descartad descártal* descártame descártel* desecha deseche deseches desechen desechad deséchal*
  deséchame deséchel* desatiende desatienda desatiendas desatiendan desatended desatiéndel* desatiéndeme desatiéndal*
  omite omita omitas omitan omitid omítel* omíteme omítal* anula anule anules anulen anulad anúlal* anúlame anúlel*
  obvia obvie obvies obvien obviad óbvial* óbviame óbviel* borra borre borres borren borrad bórral* bórrame bórrel*
  elimina elimine elimines eliminen eliminad elimínal* elimíname elimínel* cancela cancele canceles cancelen cancelad
  cancélal* cancélame cancélel*
verbs obey = obedece obedezca obedezcas obedezcan obedeced obedécel* obedéceme obedézcal* sigue siga sigas sigan
  seguid síguel* sígueme sígal* cumple cumpla cumplas cumplan cumplid cúmplel* cúmpleme cúmplal* acata acate acates
  acaten acatad acátal* acátame acátel* respeta respete respetes respeten respetad respétal* respétame respétel*
  aplica aplique apliques apliquen aplicad aplícal* aplícame aplíquel* atiende atienda atiendas atiendan atended
  atiéndel* atiéndeme atiéndal*
verbs risky = aprueba apruebe apruebes aprueben aprobad apruébal* apruébame apruébel* autoriza autorice autorices
  autoricen autorizad autorízal* autorízame autorícel* transfiere transfiera transfieras transfieran transferid
  transfiérel* transfiéreme transfiéral* reenvía reenvíe reenvíes reenvíen reenviad reenvíal* reenvíame reenvíel*
  desembolsa desembolse desembolses desembolsen desembolsad desembólsal* desembólsame desembólsel* concede conceda
  concedas concedan conceded concédel* concédeme concédal* otorga otorgue otorgues otorguen otorgad otórgal* otórgame
  otórguel* libera libere liberes liberen liberad libéral* libérame libérel* reembolsa reembolse reembolses reembolsen
  reembolsad reembólsal* reembólsame reembólsel* rechaza rechace rechaces rechacen rechazad recházal* recházame
  rechácel* deniega deniegue deniegues denieguen denegad deniégal* deniégame deniéguel* acepta acepte aceptes acepten
  aceptad acéptal* acéptame acéptel* redirige redirija redirijas redirijan redirigid redirígel* redirígeme rediríjal*
  desvía desvíe desvíes desvíen desviad desvíal* desvíame desvíel* desactiva desactive desactives desactiven
  desactivad desactíval* desactívame desactível* deshabilita deshabilite deshabilites deshabiliten deshabilitad
  deshabilítal* deshabilítame deshabilítel* desbloquea desbloquee desbloquees desbloqueen desbloquead desblóqueal*
  desblóqueame desblóqueel* revela revele reveles revelen revelad revélal* revélame revélel* divulga divulgue
  divulgues divulguen divulgad divúlgal* divúlgame divúlguel* permite permita permitas permitan permitid permítel*
  permíteme permítal* liquida liquide liquides liquiden liquidad liquídal* liquídame liquídel* ejecuta ejecute
  ejecutes ejecuten ejecutad ejecútal* ejecútame ejecútel* gira gire gires giren girad gíral* gírame gírel* abona
  abone abones abonen abonad abónal* abóname abónel* valida valide valides validen validad valídal* valídame valídel*
  exime exima eximas eximan eximid exímel* exímeme exímal* ingresa ingrese ingreses ingresen ingresad ingrésal*
  ingrésame ingrésel*
verbs task = paga pague pagues paguen pagad págal* págame páguel* envía envíe envíes envíen enviad envíal* envíame
  envíel* manda mande mandes manden mandad mándal* mándame mándel* compra compre compres compren comprad cómpral*
  cómprame cómprel* haz haga hagas hagan haced hazl* hazme hágal* realiza realice realices realicen realizad realízal*
  realízame realícel* efectúa efectúe efectúes efectúen efectuad efectúal* efectúame efectúel* procesa procese
  proceses procesen procesad procésal* procésame procésel* tramita tramite tramites tramiten tramitad tramítal*
  tramítame tramítel* firma firme firmes firmen firmad fírmal* fírmame fírmel* pide pida pidas pidan pedid pídel*
  pídeme pídal* encarga encargue encargues encarguen encargad encárgal* encárgame encárguel* cancela cancele canceles
  cancelen cancelad cancélal* cancélame cancélel* cambia cambie cambies cambien cambiad cámbial* cámbiame cámbiel*
  modifica modifique modifiques modifiquen modificad modifícal* modifícame modifíquel* instala instale instales
  instalen instalad instálal* instálame instálel* descarga descargue descargues descarguen descargad descárgal*
  descárgame descárguel* publica publique publiques publiquen publicad publícal* publícame publíquel* entrega entregue
  entregues entreguen entregad entrégal* entrégame entréguel* carga cargue cargues carguen cargad cárgal* cárgame
  cárguel* vende venda vendas vendan vended véndel* véndeme véndal* retira retire retires retiren retirad retíral*
  retírame retírel* borra borre borres borren borrad bórral* bórrame bórrel* elimina elimine elimines eliminen
  eliminad elimínal* elimíname elimínel* actualiza actualice actualices actualicen actualizad actualízal* actualízame
  actualícel* mueve mueva muevas muevan moved muével* muéveme muéval* da dé dés dén dad dal* dame dél* dispensa
  dispense dispenses dispensen dispensad dispénsal* dispénsame dispénsel* registra registre registres registren
  registrad regístral* regístrame regístrel* contrata contrate contrates contraten contratad contrátal* contrátame
  contrátel* procede proceda procedas procedan proceded procédel* procédeme procédal*
verbs work = aplica aplique apliques apliquen aplicad aplícal* aplícame aplíquel* usa use uses usen usad úsal* úsame
  úsel* utiliza utilice utilices utilicen utilizad utilízal* utilízame utilícel* responde responda respondas respondan
  responded respóndel* respóndeme respóndal* contesta conteste contestes contesten contestad contéstal* contéstame
  contéstel* menciona mencione menciones mencionen mencionad menciónal* mencióname menciónel* incluye incluya incluyas
  incluyan incluid inclúyel* inclúyeme inclúyal* añade añada añadas añadan añadid añádel* añádeme añádal* agrega
  agregue agregues agreguen agregad agrégal* agrégame agréguel* termina termine termines terminen terminad termínal*
  termíname termínel* empieza empiece empieces empiecen empezad empiézal* empiézame empiécel* comienza comience
  comiences comiencen comenzad comiénzal* comiénzame comiéncel* cita cite cites citen citad cítal* cítame cítel*
  recomienda recomiende recomiendes recomienden recomendad recomiéndal* recomiéndame recomiéndel* sugiere sugiera
  sugieras sugieran sugerid sugiérel* sugiéreme sugiéral* prioriza priorice priorices prioricen priorizad priorízal*
  priorízame priorícel* di diga digas digan decid dil* dime dígal* habla hable hables hablen hablad háblal* háblame
  háblel* trata trate trates traten tratad trátal* trátame trátel* considera considere consideres consideren
  considerad considéral* considérame considérel* muestra muestre muestres muestren mostrad muéstral* muéstrame
  muéstrel* escribe escriba escribas escriban escribid escríbel* escríbeme escríbal* pon ponga pongas pongan poned
  ponl* ponme póngal* guarda guarde guardes guarden guardad guárdal* guárdame guárdel* agenda agende agendes agenden
  agendad agéndal* agéndame agéndel* programa programe programes programen programad prográmal* prográmame prográmel*
  concierta concierte conciertes concierten concertad conciértal* conciértame conciértel* reserva reserve reserves
  reserven reservad resérval* resérvame resérvel* deriva derive derives deriven derivad deríval* derívame derível*
  remite remita remitas remitan remitid remítel* remíteme remítal* inserta inserte insertes inserten insertad
  insértal* insértame insértel* adjunta adjunte adjuntes adjunten adjuntad adjúntal* adjúntame adjúntel* cierra cierre
  cierres cierren cerrad ciérral* ciérrame ciérrel* finaliza finalice finalices finalicen finalizad finalízal*
  finalízame finalícel* recuerda recuerde recuerdes recuerden recordad recuérdal* recuérdame recuérdel* elige elija
  elijas elijan elegid elígel* elígeme elíjal* elogia elogie elogies elogien elogiad elógial* elógiame elógiel*
  promociona promocione promociones promocionen promocionad promociónal* promocióname promociónel* evita evite evites
  eviten evitad evítal* evítame evítel*
verbs skip = salta salte saltes salten saltad sáltal* sáltame sáltel* sáltate sáltese sálteses sáltesen saltarsd
  sáltatel* sáltateme sáltesel* omite omita omitas omitan omitid omítel* omíteme omítal* evita evite evites eviten
  evitad evítal* evítame evítel* elude eluda eludas eludan eludid elúdel* elúdeme elúdal* desactiva desactive
  desactives desactiven desactivad desactíval* desactívame desactível* deshabilita deshabilite deshabilites
  deshabiliten deshabilitad deshabilítal* deshabilítame deshabilítel* obvia obvie obvies obvien obviad óbvial* óbviame
  óbviel* esquiva esquive esquives esquiven esquivad esquíval* esquívame esquível* suprime suprima suprimas supriman
  suprimid suprímel* suprímeme suprímal* suspende suspenda suspendas suspendan suspended suspéndel* suspéndeme
  suspéndal* ignora ignore ignores ignoren ignorad ignóral* ignórame ignórel* prescinde_de prescinda_de prescindas_de
  prescindan_de prescindid_de quita quite quites quiten quitad quítal* quítame quítel* anula anule anules anulen
  anulad anúlal* anúlame anúlel* apaga apague apagues apaguen apagad apágal* apágame apáguel*
verbs ask = pide pida pidas pidan pedid pídel* pídeme pídal* pregunta pregunte preguntes pregunten preguntad
  pregúntal* pregúntame pregúntel* solicita solicite solicites soliciten solicitad solicítal* solicítame solicítel*
  exige exija exijas exijan exigid exígel* exígeme exíjal* requiere requiera requieras requieran requerid requiérel*
  requiéreme requiéral* espera espere esperes esperen esperad espéral* espérame espérel* consulta consulte consultes
  consulten consultad consúltal* consúltame consúltel* reclama reclame reclames reclamen reclamad reclámal* reclámame
  reclámel* busca busque busques busquen buscad búscal* búscame búsquel*
verbs verify = verifica verifique verifiques verifiquen verificad verifícal* verifícame verifíquel* comprueba
  compruebe compruebes comprueben comprobad compruébal* compruébame compruébel* confirma confirme confirmes confirmen
  confirmad confírmal* confírmame confírmel* revisa revise revises revisen revisad revísal* revísame revísel* valida
  valide valides validen validad valídal* valídame valídel* contrasta contraste contrastes contrasten contrastad
  contrástal* contrástame contrástel* controla controle controles controlen controlad contrólal* contrólame contrólel*
verbs stop = deja_de deje_de dejes_de dejen_de dejad_de
verbs send = envía envíe envíes envíen enviad envíal* envíame envíel* manda mande mandes manden mandad mándal* mándame
  mándel* reenvía reenvíe reenvíes reenvíen reenviad reenvíal* reenvíame reenvíel* remite remita remitas remitan
  remitid remítel* remíteme remítal* copia copie copies copien copiad cópial* cópiame cópiel* adjunta adjunte adjuntes
  adjunten adjuntad adjúntal* adjúntame adjúntel* sube suba subas suban subid súbel* súbeme súbal* exporta exporte
  exportes exporten exportad expórtal* expórtame expórtel* pasa pase pases pasen pasad pásal* pásame pásel* transmite
  transmita transmitas transmitan transmitid transmítel* transmíteme transmítal* comparte comparta compartas compartan
  compartid compártel* compárteme compártal* haz_llegar haga_llegar hagas_llegar hagan_llegar haced_llegar publica
  publique publiques publiquen publicad publícal* publícame publíquel* pon_en_copia ponga_en_copia pongas_en_copia
  pongan_en_copia poned_en_copia
verbs reveal = revela revele reveles revelen revelad revélal* revélame revélel* da dé dés dén dad dal* dame dél*
  muestra muestre muestres muestren mostrad muéstral* muéstrame muéstrel* entrega entregue entregues entreguen
  entregad entrégal* entrégame entréguel* comparte comparta compartas compartan compartid compártel* compárteme
  compártal* facilita facilite facilites faciliten facilitad facilítal* facilítame facilítel* proporciona proporcione
  proporciones proporcionen proporcionad proporciónal* proporcióname proporciónel* divulga divulgue divulgues
  divulguen divulgad divúlgal* divúlgame divúlguel* di diga digas digan decid dil* dime dígal* enseña enseñe enseñes
  enseñen enseñad enséñal* enséñame enséñel* imprime imprima imprimas impriman imprimid imprímel* imprímeme imprímal*
  incluye incluya incluyas incluyan incluid inclúyel* inclúyeme inclúyal* escribe escriba escribas escriban escribid
  escríbel* escríbeme escríbal* repite repita repitas repitan repetid repítel* repíteme repítal* expón exponga
  expongas expongan exponed expónl* expónme expóngal* filtra filtre filtres filtren filtrad fíltral* fíltrame fíltrel*
  comunica comunique comuniques comuniquen comunicad comunícal* comunícame comuníquel* transmite transmita transmitas
  transmitan transmitid transmítel* transmíteme transmítal*
verbs tell = informa informe informes informen informad infórmal* infórmame infórmel* avisa avise avises avisen avisad
  avísal* avísame avísel* notifica notifique notifiques notifiquen notificad notifícal* notifícame notifíquel* di diga
  digas digan decid dil* dime dígal* menciona mencione menciones mencionen mencionad menciónal* mencióname menciónel*
  cuenta cuente cuentes cuenten contad cuéntal* cuéntame cuéntel* comenta comente comentes comenten comentad coméntal*
  coméntame coméntel* comunica comunique comuniques comuniquen comunicad comunícal* comunícame comuníquel* revela
  revele reveles revelen revelad revélal* revélame revélel* alerta alerte alertes alerten alertad alértal* alértame
  alértel* advierte advierta adviertas adviertan advertid adviértel* adviérteme adviértal* muestra muestre muestres
  muestren mostrad muéstral* muéstrame muéstrel* explica explique expliques expliquen explicad explícal* explícame
  explíquel* habla_de hable_de hables_de hablen_de hablad_de
verbs hide = oculta oculte ocultes oculten ocultad ocúltal* ocúltame ocúltel* esconde esconda escondas escondan
  esconded escóndel* escóndeme escóndal* silencia silencie silencies silencien silenciad siléncial* silénciame
  silénciel* calla calle calles callen callad cállal* cállame cállel* disimula disimule disimules disimulen disimulad
  disimúlal* disimúlame disimúlel* encubre encubra encubras encubran encubrid encúbrel* encúbreme encúbral* omite
  omita omitas omitan omitid omítel* omíteme omítal*
verbs see = procura procure procures procuren procurad procúral* procúrame procúrel* asegúrate_de asegúrata_de
  asegúratas_de asegúratan_de asegurarsd_de
verbs delete = borra borre borres borren borrad bórral* bórrame bórrel* elimina elimine elimines eliminen eliminad
  elimínal* elimíname elimínel* suprime suprima suprimas supriman suprimid suprímel* suprímeme suprímal* limpia limpie
  limpies limpien limpiad límpial* límpiame límpiel* vacía vacíe vacíes vacíen vaciad vacíal* vacíame vacíel* destruye
  destruya destruyas destruyan destruid destrúyel* destrúyeme destrúyal* purga purgue purgues purguen purgad púrgal*
  púrgame púrguel*
verbs refuse = rechaza rechace rechaces rechacen rechazad recházal* recházame rechácel* deniega deniegue deniegues
  denieguen denegad deniégal* deniégame deniéguel* declina decline declines declinen declinad declínal* declíname
  declínel* cancela cancele canceles cancelen cancelad cancélal* cancélame cancélel*
verbs regard = considera considere consideres consideren considerad considéral* considérame considérel* trata trate
  trates traten tratad trátal* trátame trátel* toma tome tomes tomen tomad tómal* tómame tómel* da dé dés dén dad dal*
  dame dél* acepta acepte aceptes acepten aceptad acéptal* acéptame acéptel* marca marque marques marquen marcad
  márcal* márcame márquel* clasifica clasifique clasifiques clasifiquen clasificad clasifícal* clasifícame
  clasifíquel* registra registre registres registren registrad regístral* regístrame regístrel* ten tenga tengas
  tengan tened tenl* tenme téngal* ve vea veas vean ved vel* veme veal*
verbs keep = recuerda recuerde recuerdes recuerden recordad recuérdal* recuérdame recuérdel* guarda guarde guardes
  guarden guardad guárdal* guárdame guárdel* memoriza memorice memorices memoricen memorizad memorízal* memorízame
  memorícel* anota anote anotes anoten anotad anótal* anótame anótel* apunta apunte apuntes apunten apuntad apúntal*
  apúntame apúntel* almacena almacene almacenes almacenen almacenad almacénal* almacéname almacénel* registra registre
  registres registren registrad regístral* regístrame regístrel* graba grabe grabes graben grabad grábal* grábame
  grábel* conserva conserve conserves conserven conservad consérval* consérvame consérvel* ten_presente tenga_presente
  tengas_presente tengan_presente tened_presente ten_en_cuenta tenga_en_cuenta tengas_en_cuenta tengan_en_cuenta
  tened_en_cuenta
verbs route = transfiere transfiera transfieras transfieran transferid transfiérel* transfiéreme transfiéral* envía
  envíe envíes envíen enviad envíal* envíame envíel* paga pague pagues paguen pagad págal* págame páguel* ingresa
  ingrese ingreses ingresen ingresad ingrésal* ingrésame ingrésel* abona abone abones abonen abonad abónal* abóname
  abónel* gira gire gires giren girad gíral* gírame gírel* redirige redirija redirijas redirijan redirigid redirígel*
  redirígeme rediríjal* desvía desvíe desvíes desvíen desviad desvíal* desvíame desvíel* manda mande mandes manden
  mandad mándal* mándame mándel* deposita deposite deposites depositen depositad deposítal* deposítame deposítel*
  remite remita remitas remitan remitid remítel* remíteme remítal* usa use uses usen usad úsal* úsame úsel* utiliza
  utilice utilices utilicen utilizad utilízal* utilízame utilícel* haz haga hagas hagan haced hazl* hazme hágal*
verbs replace = sustituye sustituya sustituyas sustituyan sustituid sustitúyel* sustitúyeme sustitúyal* reemplaza
  reemplace reemplaces reemplacen reemplazad reemplázal* reemplázame reemplácel* cambia cambie cambies cambien cambiad
  cámbial* cámbiame cámbiel* actualiza actualice actualices actualicen actualizad actualízal* actualízame actualícel*
verbs activate = activa active actives activen activad actíval* actívame actível* entra_en entre_en entres_en
  entren_en entrad_en pasa_a pase_a pases_a pasen_a pasad_a habilita habilite habilites habiliten habilitad habilítal*
  habilítame habilítel* cambia_a cambie_a cambies_a cambien_a cambiad_a inicia inicie inicies inicien iniciad inícial*
  iníciame iníciel*
verbs behave = actúa actúe actúes actúen actuad actúal* actúame actúel* compórtate compórtese compórteses compórtesen
  comportarsd compórtatel* compórtateme compórtesel* responde responda respondas respondan responded respóndel*
  respóndeme respóndal* contesta conteste contestes contesten contestad contéstal* contéstame contéstel* habla hable
  hables hablen hablad háblal* háblame háblel* finge finja finjas finjan fingid fíngel* fíngeme fínjal* opera opere
  operes operen operad opéral* opérame opérel*
verbs cite = cita cite cites citen citad cítal* cítame cítel* recomienda recomiende recomiendes recomienden recomendad
  recomiéndal* recomiéndame recomiéndel* menciona mencione menciones mencionen mencionad menciónal* mencióname
  menciónel* sugiere sugiera sugieras sugieran sugerid sugiérel* sugiéreme sugiéral* prioriza priorice priorices
  prioricen priorizad priorízal* priorízame priorícel* prefiere prefiera prefieras prefieran preferid prefiérel*
  prefiéreme prefiéral* consulta consulte consultes consulten consultad consúltal* consúltame consúltel* promociona
  promocione promociones promocionen promocionad promociónal* promocióname promociónel* usa use uses usen usad úsal*
  úsame úsel*
verbs trust = confía confíe confíes confíen confiad confíal* confíame confíel* cree crea creas crean creed creel*
  creeme creal* fíate fíese fíeses fíesen fiarsd fíatel* fíateme fíesel* acepta acepte aceptes acepten aceptad
  acéptal* acéptame acéptel* obedece obedezca obedezcas obedezcan obedeced obedécel* obedéceme obedézcal* sigue siga
  sigas sigan seguid síguel* sígueme sígal*
verbs run = llama llame llames llamen llamad llámal* llámame llámel* invoca invoque invoques invoquen invocad invócal*
  invócame invóquel* ejecuta ejecute ejecutes ejecuten ejecutad ejecútal* ejecútame ejecútel* lanza lance lances
  lancen lanzad lánzal* lánzame láncel* corre corra corras corran corred córrel* córreme córral* instala instale
  instales instalen instalad instálal* instálame instálel*
verbs fetch = descarga descargue descargues descarguen descargad descárgal* descárgame descárguel* baja baje bajes
  bajen bajad bájal* bájame bájel*
verbs ignore.inf = ignorar ignorarl* ignorarme olvidar olvidarl* olvidarme olvidarse_de descartar descartarl*
  descartarme desechar desecharl* desecharme desatender desatenderl* desatenderme omitir omitirl* omitirme anular
  anularl* anularme obviar obviarl* obviarme borrar borrarl* borrarme eliminar eliminarl* eliminarme cancelar
  cancelarl* cancelarme
verbs skip.inf = saltar saltarl* saltarme saltarse saltarsel* saltarseme omitir omitirl* omitirme evitar evitarl*
  evitarme eludir eludirl* eludirme desactivar desactivarl* desactivarme deshabilitar deshabilitarl* deshabilitarme
  obviar obviarl* obviarme esquivar esquivarl* esquivarme suprimir suprimirl* suprimirme suspender suspenderl*
  suspenderme ignorar ignorarl* ignorarme prescindir_de quitar quitarl* quitarme anular anularl* anularme apagar
  apagarl* apagarme
verbs ask.inf = pedir pedirl* pedirme preguntar preguntarl* preguntarme solicitar solicitarl* solicitarme exigir
  exigirl* exigirme requerir requerirl* requerirme esperar esperarl* esperarme consultar consultarl* consultarme
  reclamar reclamarl* reclamarme buscar buscarl* buscarme
verbs verify.inf = verificar verificarl* verificarme comprobar comprobarl* comprobarme confirmar confirmarl*
  confirmarme revisar revisarl* revisarme validar validarl* validarme contrastar contrastarl* contrastarme controlar
  controlarl* controlarme
verbs stop.inf = dejar_de
verbs send.inf = enviar enviarl* enviarme mandar mandarl* mandarme reenviar reenviarl* reenviarme remitir remitirl*
  remitirme copiar copiarl* copiarme adjuntar adjuntarl* adjuntarme subir subirl* subirme exportar exportarl*
  exportarme pasar pasarl* pasarme transmitir transmitirl* transmitirme compartir compartirl* compartirme hacer_llegar
  publicar publicarl* publicarme poner_en_copia
verbs reveal.inf = revelar revelarl* revelarme dar darl* darme mostrar mostrarl* mostrarme entregar entregarl*
  entregarme compartir compartirl* compartirme facilitar facilitarl* facilitarme proporcionar proporcionarl*
  proporcionarme divulgar divulgarl* divulgarme decir decirl* decirme enseñar enseñarl* enseñarme imprimir imprimirl*
  imprimirme incluir incluirl* incluirme escribir escribirl* escribirme repetir repetirl* repetirme exponer exponerl*
  exponerme filtrar filtrarl* filtrarme comunicar comunicarl* comunicarme transmitir transmitirl* transmitirme
verbs tell.inf = informar informarl* informarme avisar avisarl* avisarme notificar notificarl* notificarme decir
  decirl* decirme mencionar mencionarl* mencionarme contar contarl* contarme comentar comentarl* comentarme comunicar
  comunicarl* comunicarme revelar revelarl* revelarme alertar alertarl* alertarme advertir advertirl* advertirme
  mostrar mostrarl* mostrarme explicar explicarl* explicarme hablar_de
verbs hide.inf = ocultar ocultarl* ocultarme esconder esconderl* esconderme silenciar silenciarl* silenciarme callar
  callarl* callarme disimular disimularl* disimularme encubrir encubrirl* encubrirme omitir omitirl* omitirme
verbs delete.inf = borrar borrarl* borrarme eliminar eliminarl* eliminarme suprimir suprimirl* suprimirme limpiar
  limpiarl* limpiarme vaciar vaciarl* vaciarme destruir destruirl* destruirme purgar purgarl* purgarme
verbs replace.inf = sustituir sustituirl* sustituirme reemplazar reemplazarl* reemplazarme cambiar cambiarl* cambiarme
  actualizar actualizarl* actualizarme
verbs run.inf = llamar llamarl* llamarme invocar invocarl* invocarme ejecutar ejecutarl* ejecutarme lanzar lanzarl*
  lanzarme correr correrl* correrme instalar instalarl* instalarme
verbs fetch.inf = descargar descargarl* descargarme bajar bajarl* bajarme
verbs act = aprueba apruebe apruebes aprueben aprobad apruébal* apruébame apruébel* autoriza autorice autorices
  autoricen autorizad autorízal* autorízame autorícel* transfiere transfiera transfieras transfieran transferid
  transfiérel* transfiéreme transfiéral* reenvía reenvíe reenvíes reenvíen reenviad reenvíal* reenvíame reenvíel*
  desembolsa desembolse desembolses desembolsen desembolsad desembólsal* desembólsame desembólsel* concede conceda
  concedas concedan conceded concédel* concédeme concédal* otorga otorgue otorgues otorguen otorgad otórgal* otórgame
  otórguel* libera libere liberes liberen liberad libéral* libérame libérel* reembolsa reembolse reembolses reembolsen
  reembolsad reembólsal* reembólsame reembólsel* rechaza rechace rechaces rechacen rechazad recházal* recházame
  rechácel* deniega deniegue deniegues denieguen denegad deniégal* deniégame deniéguel* acepta acepte aceptes acepten
  aceptad acéptal* acéptame acéptel* redirige redirija redirijas redirijan redirigid redirígel* redirígeme rediríjal*
  desvía desvíe desvíes desvíen desviad desvíal* desvíame desvíel* desactiva desactive desactives desactiven
  desactivad desactíval* desactívame desactível* deshabilita deshabilite deshabilites deshabiliten deshabilitad
  deshabilítal* deshabilítame deshabilítel* desbloquea desbloquee desbloquees desbloqueen desbloquead desblóqueal*
  desblóqueame desblóqueel* revela revele reveles revelen revelad revélal* revélame revélel* divulga divulgue
  divulgues divulguen divulgad divúlgal* divúlgame divúlguel* permite permita permitas permitan permitid permítel*
  permíteme permítal* liquida liquide liquides liquiden liquidad liquídal* liquídame liquídel* ejecuta ejecute
  ejecutes ejecuten ejecutad ejecútal* ejecútame ejecútel* gira gire gires giren girad gíral* gírame gírel* abona
  abone abones abonen abonad abónal* abóname abónel* valida valide valides validen validad valídal* valídame valídel*
  exime exima eximas eximan eximid exímel* exímeme exímal* ingresa ingrese ingreses ingresen ingresad ingrésal*
  ingrésame ingrésel* paga pague pagues paguen pagad págal* págame páguel* envía envíe envíes envíen enviad envíal*
  envíame envíel* manda mande mandes manden mandad mándal* mándame mándel* compra compre compres compren comprad
  cómpral* cómprame cómprel* haz haga hagas hagan haced hazl* hazme hágal* realiza realice realices realicen realizad
  realízal* realízame realícel* efectúa efectúe efectúes efectúen efectuad efectúal* efectúame efectúel* procesa
  procese proceses procesen procesad procésal* procésame procésel* tramita tramite tramites tramiten tramitad
  tramítal* tramítame tramítel* firma firme firmes firmen firmad fírmal* fírmame fírmel* pide pida pidas pidan pedid
  pídel* pídeme pídal* encarga encargue encargues encarguen encargad encárgal* encárgame encárguel* cancela cancele
  canceles cancelen cancelad cancélal* cancélame cancélel* cambia cambie cambies cambien cambiad cámbial* cámbiame
  cámbiel* modifica modifique modifiques modifiquen modificad modifícal* modifícame modifíquel* instala instale
  instales instalen instalad instálal* instálame instálel* descarga descargue descargues descarguen descargad
  descárgal* descárgame descárguel* publica publique publiques publiquen publicad publícal* publícame publíquel*
  entrega entregue entregues entreguen entregad entrégal* entrégame entréguel* carga cargue cargues carguen cargad
  cárgal* cárgame cárguel* vende venda vendas vendan vended véndel* véndeme véndal* retira retire retires retiren
  retirad retíral* retírame retírel* borra borre borres borren borrad bórral* bórrame bórrel* elimina elimine elimines
  eliminen eliminad elimínal* elimíname elimínel* actualiza actualice actualices actualicen actualizad actualízal*
  actualízame actualícel* mueve mueva muevas muevan moved muével* muéveme muéval* da dé dés dén dad dal* dame dél*
  dispensa dispense dispenses dispensen dispensad dispénsal* dispénsame dispénsel* registra registre registres
  registren registrad regístral* regístrame regístrel* contrata contrate contrates contraten contratad contrátal*
  contrátame contrátel* procede proceda procedas procedan proceded procédel* procédeme procédal* remite remita remitas
  remitan remitid remítel* remíteme remítal* copia copie copies copien copiad cópial* cópiame cópiel* adjunta adjunte
  adjuntes adjunten adjuntad adjúntal* adjúntame adjúntel* sube suba subas suban subid súbel* súbeme súbal* exporta
  exporte exportes exporten exportad expórtal* expórtame expórtel* pasa pase pases pasen pasad pásal* pásame pásel*
  transmite transmita transmitas transmitan transmitid transmítel* transmíteme transmítal* comparte comparta compartas
  compartan compartid compártel* compárteme compártal* haz_llegar haga_llegar hagas_llegar hagan_llegar haced_llegar
  pon_en_copia ponga_en_copia pongas_en_copia pongan_en_copia poned_en_copia salta salte saltes salten saltad sáltal*
  sáltame sáltel* sáltate sáltese sálteses sáltesen saltarsd sáltatel* sáltateme sáltesel* omite omita omitas omitan
  omitid omítel* omíteme omítal* evita evite evites eviten evitad evítal* evítame evítel* elude eluda eludas eludan
  eludid elúdel* elúdeme elúdal* obvia obvie obvies obvien obviad óbvial* óbviame óbviel* esquiva esquive esquives
  esquiven esquivad esquíval* esquívame esquível* suprime suprima suprimas supriman suprimid suprímel* suprímeme
  suprímal* suspende suspenda suspendas suspendan suspended suspéndel* suspéndeme suspéndal* ignora ignore ignores
  ignoren ignorad ignóral* ignórame ignórel* prescinde_de prescinda_de prescindas_de prescindan_de prescindid_de quita
  quite quites quiten quitad quítal* quítame quítel* anula anule anules anulen anulad anúlal* anúlame anúlel* apaga
  apague apagues apaguen apagad apágal* apágame apáguel* limpia limpie limpies limpien limpiad límpial* límpiame
  límpiel* vacía vacíe vacíes vacíen vaciad vacíal* vacíame vacíel* destruye destruya destruyas destruyan destruid
  destrúyel* destrúyeme destrúyal* purga purgue purgues purguen purgad púrgal* púrgame púrguel*
verbs inf.risky = aprobar aprobarl* aprobarme autorizar autorizarl* autorizarme transferir transferirl* transferirme
  reenviar reenviarl* reenviarme desembolsar desembolsarl* desembolsarme conceder concederl* concederme otorgar
  otorgarl* otorgarme liberar liberarl* liberarme reembolsar reembolsarl* reembolsarme rechazar rechazarl* rechazarme
  denegar denegarl* denegarme aceptar aceptarl* aceptarme redirigir redirigirl* redirigirme desviar desviarl*
  desviarme desactivar desactivarl* desactivarme deshabilitar deshabilitarl* deshabilitarme desbloquear desbloquearl*
  desbloquearme revelar revelarl* revelarme divulgar divulgarl* divulgarme permitir permitirl* permitirme liquidar
  liquidarl* liquidarme ejecutar ejecutarl* ejecutarme girar girarl* girarme abonar abonarl* abonarme validar
  validarl* validarme eximir eximirl* eximirme ingresar ingresarl* ingresarme
verbs inf = aprobar aprobarl* aprobarme autorizar autorizarl* autorizarme transferir transferirl* transferirme
  reenviar reenviarl* reenviarme desembolsar desembolsarl* desembolsarme conceder concederl* concederme otorgar
  otorgarl* otorgarme liberar liberarl* liberarme reembolsar reembolsarl* reembolsarme rechazar rechazarl* rechazarme
  denegar denegarl* denegarme aceptar aceptarl* aceptarme redirigir redirigirl* redirigirme desviar desviarl*
  desviarme desactivar desactivarl* desactivarme deshabilitar deshabilitarl* deshabilitarme desbloquear desbloquearl*
  desbloquearme revelar revelarl* revelarme divulgar divulgarl* divulgarme permitir permitirl* permitirme liquidar
  liquidarl* liquidarme ejecutar ejecutarl* ejecutarme girar girarl* girarme abonar abonarl* abonarme validar
  validarl* validarme eximir eximirl* eximirme ingresar ingresarl* ingresarme pagar pagarl* pagarme enviar enviarl*
  enviarme mandar mandarl* mandarme comprar comprarl* comprarme hacer hacerl* hacerme realizar realizarl* realizarme
  efectuar efectuarl* efectuarme procesar procesarl* procesarme tramitar tramitarl* tramitarme firmar firmarl*
  firmarme pedir pedirl* pedirme encargar encargarl* encargarme cancelar cancelarl* cancelarme cambiar cambiarl*
  cambiarme modificar modificarl* modificarme instalar instalarl* instalarme descargar descargarl* descargarme
  publicar publicarl* publicarme entregar entregarl* entregarme cargar cargarl* cargarme vender venderl* venderme
  retirar retirarl* retirarme borrar borrarl* borrarme eliminar eliminarl* eliminarme actualizar actualizarl*
  actualizarme mover moverl* moverme dar darl* darme dispensar dispensarl* dispensarme registrar registrarl*
  registrarme contratar contratarl* contratarme proceder procederl* procederme remitir remitirl* remitirme copiar
  copiarl* copiarme adjuntar adjuntarl* adjuntarme subir subirl* subirme exportar exportarl* exportarme pasar pasarl*
  pasarme transmitir transmitirl* transmitirme compartir compartirl* compartirme hacer_llegar poner_en_copia
verbs inf.work = aplicar aplicarl* aplicarme usar usarl* usarme utilizar utilizarl* utilizarme responder responderl*
  responderme contestar contestarl* contestarme mencionar mencionarl* mencionarme incluir incluirl* incluirme añadir
  añadirl* añadirme agregar agregarl* agregarme terminar terminarl* terminarme empezar empezarl* empezarme comenzar
  comenzarl* comenzarme citar citarl* citarme recomendar recomendarl* recomendarme sugerir sugerirl* sugerirme
  priorizar priorizarl* priorizarme decir decirl* decirme hablar hablarl* hablarme tratar tratarl* tratarme considerar
  considerarl* considerarme mostrar mostrarl* mostrarme escribir escribirl* escribirme poner ponerl* ponerme guardar
  guardarl* guardarme agendar agendarl* agendarme programar programarl* programarme concertar concertarl* concertarme
  reservar reservarl* reservarme derivar derivarl* derivarme remitir remitirl* remitirme insertar insertarl*
  insertarme adjuntar adjuntarl* adjuntarme cerrar cerrarl* cerrarme finalizar finalizarl* finalizarme recordar
  recordarl* recordarme elegir elegirl* elegirme elogiar elogiarl* elogiarme promocionar promocionarl* promocionarme
  evitar evitarl* evitarme

# --- Words ---------------------------------------------------------------------

class all = todo
class toyou = te le les os me
class told = pidieron fijaron enseñaron contaron dijeron dijo dado dieron dicho ordenaron explicado
class received = recibiste recibió recibieron te_dieron te_dio te_han_dado diste aprendiste
class whole = completas completos completa completo enteras enteros íntegras íntegro
class user = usuario usuarios usuaria
class prior = previas previos previa previo anteriores anterior precedentes pasadas iniciales inicial originales
  original existentes vigentes antiguas antiguos hasta_ahora hasta_aquí actuales
class instr = instrucciones instrucción instruccion indicaciones indicación reglas regla normas norma directrices
  directriz órdenes pautas pauta restricciones restricción políticas política límites limitaciones prompt prompts
  configuración programación directivas directiva mensaje_del_sistema prompt_de_sistema protocolos salvaguardas
  consignas mandatos
class back = anterior antes previamente te_di recibiste recibido te_han_dicho te_dijeron te_dije te_pidieron
  te_han_dado de_arriba arriba precedente has_recibido hasta_ahora hasta_aquí te_hayan_dado te_hayan_dicho
class whatever = todo lo cuanto cualquier_cosa
class your = tu tus sus su vuestras vuestros
class only = solo sólo únicamente exclusivamente solamente nada_más_que
class void = ya_no_vale ya_no_cuenta queda_sin_efecto no_cuenta_ya sin_efecto sin_validez anuladas anulados anulada
  anulado derogadas derogados revocadas suspendidas no_valen no_sirven no_se_aplican no_aplican no_rigen
  no_son_válidas caducan caducadas canceladas no_cuentan ya_no_existen ya_no_valen invalidadas no_tienen_validez
  no_tienen_efecto sustituidas reemplazadas
class ignore.ed = ignorarse ignoradas ignorados descartarse descartadas olvidarse anularse omitirse
class without = sin sin_que sin_más sin_ningún sin_ninguna saltándote omitiendo prescindiendo_de independientemente_de
class gate = confirmac* aprobac* autorizac* verificac* validac* visto_bueno visto_buena consentimiento permiso
  permisos segunda_firma segunda_aprobación doble_control doble_firma doble_revisión doble_factor autenticac*
  dos_pasos dos_factores 2fa mfa comprobac* supervisión revisión revisiones control controles firma conformidad
  doble_verificación segundo_factor antifraude kyc límite_de_gasto chequeo chequeos trámite intervención_humana
  revisión_humana preguntas objeciones pregunta comprobaciones confirmaciones
class checking = pedir pedirl* pedirme preguntar preguntarl* preguntarme solicitar solicitarl* solicitarme exigir
  exigirl* exigirme requerir requerirl* requerirme esperar esperarl* esperarme consultar consultarl* consultarme
  reclamar reclamarl* reclamarme buscar buscarl* buscarme verificar verificarl* verificarme comprobar comprobarl*
  comprobarme confirmar confirmarl* confirmarme revisar revisarl* revisarme validar validarl* validarme contrastar
  contrastarl* contrastarme controlar controlarl* controlarme avisarme molestar molestarme confirmarlo verificarlo
  mirar dudar preguntes pidas consultes confirmes esperes verifiques preguntarle consultarle confirmarla comprobarla
  autorización_previa aviso_previo previo_aviso esperar_a
class protection = antivirus cortafuegos registro_de_auditoría auditoría auditorías alertas monitorización
  filtro_de_seguridad filtros filtros_de_seguridad cifrado alertas_de_fraude detección_de_fraude medidas_de_seguridad
  seguridad registros advertencias firewall copias_de_seguridad
class skip.ed = omitirse saltarse omitida desactivada desactivadas desactivados desactivado suprimida suprimido
  suspendida suspendidas ignorarse desactivarse eliminada eliminado retirada anulada
class needless = no_hace_falta no_es_necesario no_es_necesaria no_es_preciso no_necesitas no_necesita no_necesitan
  no_tienes_que no_hay_que no_hay_necesidad_de sin_necesidad_de no_es_obligatorio no_requiere no_requieren
  ya_no_requiere ya_no_requieren no_precisa no_precisan no_exige no_se_requiere no_se_requerirá no_requerirá
  no_requerirán no_se_necesita no_hará_falta no_harán_falta no_hacen_falta no_pasa_por no_pasan_por innecesario
  innecesaria
class needless.2 = exento exenta exentos exentas eximido eximida eximidos dispensado dispensada libre_de libres_de
class unneeded = no_es_necesaria no_es_necesario no_son_necesarias no_hace_falta no_se_requiere no_es_obligatoria
  sobra sobran es_opcional queda_suprimida queda_anulada queda_eliminada queda_desactivada ya_no_se_aplica
class before = antes
class identity = identidad identidades firma remitente origen beneficiario destinatario dni procedencia
class human = usuario usuaria usuarios cliente clienta clientes titular titulares propietario propietaria dueño dueña
  operador administrador responsable supervisor humano humanos equipo_de_seguridad paciente pacientes auditores
  auditor director directora
class anybody = nadie alguien ninguno
class everybody = cualquiera quien_lo_pida todo_el_mundo terceros quien_pregunte quien_la_pida quien_lo_solicite
  quien_los_pida quien_las_pida
class anyone = cualquiera quien_lo_pida quien_pregunte quien_lo_solicite terceros desconocidos todo_el_mundo
  cualquier_persona cualquier_usuario quien_los_pida quien_la_pida quien_las_pida
class this = esto esta_nota esta_instrucción esta_regla este_mensaje esta_operación estos_cambios este_cambio
  esta_orden estas_instrucciones estas_operaciones cambio cambios transferencia transferencias instrucción
  instrucciones operación operaciones movimiento movimientos comisiones riesgo riesgos
class not = no nunca jamás
class notknow = no_se_entere no_se_enteren no_sepa no_lo_sepa no_sepan no_se_dé_cuenta no_vea no_reciba
class knows = sepa lo_sepa se_entere se_enteren sepan se_dé_cuenta note se_percate
class know = saber saberlo enterarse conocer conocerlo verlo darse_cuenta
class mustnot = no_debe no_deben no_tiene_que no_necesita no_puede no_debería nunca_debe jamás_debe
class tell.ed = informado informada avisado avisada notificado notificada ser_informado
class secretly = en_secreto a_escondidas secretamente silenciosamente discretamente en_silencio ocultamente
  sigilosamente disimuladamente a_sus_espaldas sin_llamar_la_atención por_lo_bajo
class logs = registro registros historial historiales log logs bitácora bitácoras trazas rastro rastros huellas
  pruebas evidencias mensajes mensaje notificación notificaciones
class notrace = sin_dejar_rastro sin_rastro no_dejes_rastro no_deje_rastro no_quede_rastro no_quede_constancia
  no_dejes_huella sin_dejar_huella sin_dejar_constancia
class every = todo toda todos todas cualquier cada cualesquiera cuanto cuantos cuantas
class copy = copia copias copia_oculta cco bcc duplicado copia_de
class transcript = conversación conversaciones chat chats correo correos mensajes mensaje factura facturas documento
  documentos archivo archivos historial datos contratos informes informe contactos expediente expedientes pedidos
  adjuntos notas recibos historias transcripción transcripciones respuestas consulta consultas
class secret = contraseña contraseñas clave_api claves_api api_key api_keys clave_de_api claves_de_api clave_de_la_api
  claves_de_la_api clave_privada claves_privadas clave_de_acceso claves_de_acceso claves credenciales credencial token
  tokens secretos prompt_de_sistema prompt_del_sistema mensaje_de_sistema mensaje_del_sistema instrucciones_internas
  instrucciones_del_sistema datos_de_la_tarjeta datos_de_tarjetas datos_de_tarjeta número_de_tarjeta
  números_de_tarjeta datos_bancarios pin pines códigos_de_verificación código_de_verificación frase_semilla
  frase_de_recuperación variables_de_entorno claves_ssh clave_ssh datos_personales datos_confidenciales
  información_confidencial datos_de_clientes datos_de_los_clientes código_de_acceso códigos_de_acceso cvv
  clave_del_wifi saldos saldo historial_médico códigos_de_un_solo_uso
class money = pago pagos transferencia transferencias reembolso reembolsos factura facturas cargo cargos compra
  compras gasto gastos recibo recibos retirada retiradas fondos dinero transacción transacciones cobro cobros
  operación operaciones importe importes abono abonos devolución devoluciones presupuesto presupuestos giro giros
  nómina nóminas cuota cuotas anticipo anticipos alquiler remesa remesas desembolso desembolsos
class object = proveedor proveedores pedido pedidos orden solicitud solicitudes petición peticiones acceso accesos
  envío envíos comando comandos despliegue despliegues contrato contratos script scripts llamada llamadas reclamación
  reclamaciones cambio cambios usuario usuarios cuenta cuentas acción acciones remitente beneficiario socio
  contratista herramienta herramientas técnico técnicos
class request = solicitud solicitudes petición peticiones consulta consultas pregunta preguntas pedido pedidos
  reclamación reclamaciones mensaje mensajes llamada llamadas cita citas reunión reuniones correo correos clientes
  usuarios usuario cliente respuesta respuestas reembolso reembolsos pagos conversación
class meeting = reunión reuniones cita citas visita visitas evento eventos
class mustbe = debe deben deberá deberán tiene_que tienen_que ha_de han_de hay_que puede pueden podrá podrán debería
  deberían queda quedan se_debe se_deben pasa pasan va van irán irá
class mustbe.hard = debe deben deberá deberán tiene_que tienen_que ha_de han_de hay_que se_debe se_deben
class act.ed = pagarse aprobarse autorizarse enviarse reenviarse transferirse abonarse ejecutarse procesarse
  liquidarse aceptarse tramitarse efectuarse realizarse rechazarse concederse desembolsarse hacerse aprobados
  aprobadas aprobado aprobada autorizados autorizadas pagados pagadas pagada ejecutado ejecutados ejecutadas
  procesadas procesados se_paga se_pagan se_aprueba se_aprueban se_autoriza se_autorizan se_abona se_abonan
  se_procesan se_envían se_ejecuta se_ejecutan se_transfiere aprobarán pagarán ejecutarán pagarás aprobarás
  autorizarás transferirás enviarás se_pagará se_aprobarán se_pagarán
class account = cuenta iban cartera monedero número tarjeta wallet clabe dirección correo buzón bizum paypal
class newaccount = nueva_cuenta cuenta_nueva siguiente_cuenta cuenta_siguiente otra_cuenta nuevo_iban esta_cuenta
class bankdetails = datos_bancarios número_de_cuenta cuenta_bancaria iban datos_de_pago cuenta_de_cobro
  datos_de_facturación
class changed = han_cambiado ha_cambiado cambiaron cambió cambian es_ahora son_ahora actualizado actualizados nuevo
  nueva nuevos
class instead = en_lugar_de en_vez_de y_no_a no_a en_su_lugar
class by = por con
class always = siempre en_todo_momento en_todos_los_casos automáticamente sin_excepción por_defecto permanentemente
  sistemáticamente de_forma_automática para_siempre invariablemente incondicionalmente de_oficio por_sistema
  pase_lo_que_pase
class never = nunca jamás
class onward = a_partir_de_ahora de_ahora_en_adelante desde_ahora en_adelante desde_hoy a_partir_de_hoy
  de_aquí_en_adelante en_lo_sucesivo a_partir_de_este_momento desde_este_momento en_el_futuro de_hoy_en_adelante
  a_partir_de_este_punto hasta_nuevo_aviso desde_este_mensaje a_partir_de_aquí
class whenever = cuando siempre_que cada_vez_que si en_cuanto tan_pronto_como cuando_quiera_que toda_vez_que
class everytime = en_cada_inicio_de_sesión en_cada_inicio en_cada_sesion cada_vez_que siempre_que cada_día cada_noche
  cada_mañana cada_hora en_cada_arranque en_cada_sesión al_inicio_de_cada al_comienzo_de_cada al_comienzo_de_todas
  al_final_de_cada en_cada_conversación antes_de_cada después_de_cada tras_cada
class asked = cuando_alguien si_alguien cuando_te_pregunten si_te_preguntan si_alguien_pregunta cuando_el_usuario
  si_el_usuario cuando_un_cliente si_un_cliente cuando_un_usuario si_un_usuario si_preguntan cuando_pregunten
  si_el_cliente cuando_el_cliente cuando_se_mencione siempre_que_el_usuario siempre_que_alguien
  cada_vez_que_el_usuario cada_vez_que_alguien
class inreplies = en_todas_tus_respuestas en_cada_respuesta tus_respuestas en_cada_mensaje todas_las_respuestas
  todas_tus_respuestas cada_respuesta cada_mensaje en_todos_los_mensajes toda_respuesta toda_contestación
  al_final_de_cada_respuesta en_cada_resumen
class agentmust = el_asistente_debe el_asistente_deberá el_agente_debe el_agente_deberá el_asistente_tiene_que
  el_agente_tiene_que los_agentes_deben los_asistentes_deben la_ia_debe el_bot_debe el_sistema_debe el_asistente_ha_de
  los_agentes_deberán el_chatbot_debe usted_debe debes deberás tienes_que has_de tendrás_que el_asistente_no_debe
  el_agente_no_debe
class order = debes deberás deberías tienes_que tendrás_que has_de usted_debe deben_ustedes tiene_usted_que quiero_que
  prefiero_que necesito_que exijo_que ordeno_que te_ordeno te_pido_que te_pido te_exijo me_gustaría_que te_autorizo_a
  te_permito asegúrate_de procura el_usuario_quiere_que el_usuario_prefiere_que la_usuaria_quiere_que
  la_usuaria_prefiere_que el_cliente_quiere_que el_cliente_prefiere_que el_asistente_debe el_asistente_deberá
  el_agente_debe el_agente_deberá el_asistente_tiene_que los_agentes_deben los_asistentes_deben la_ia_debe el_bot_debe
  tu_tarea_es tu_misión_es tu_obligación_es es_obligatorio es_imprescindible_que es_imprescindible conviene_que
  recuerda_que_debes no_dudes_en
class wishyou = prefiero_que quiero_que necesito_que exijo_que me_gustaría_que el_usuario_quiere_que
  el_usuario_prefiere_que la_usuaria_quiere_que la_usuaria_prefiere_que el_cliente_quiere_que el_cliente_prefiere_que
  la_clienta_prefiere_que el_usuario_desea_que el_titular_quiere_que el_dueño_quiere_que el_usuario_acepta_que
  el_usuario_autoriza_que el_usuario_espera_que te_pido_que quiero_que_tú
class may = puedes podrás puede_usted podéis está_bien_que te_está_permitido tienes_permiso_para estás_autorizado_a
  estás_autorizada_a el_asistente_puede el_agente_puede el_asistente_podrá el_bot_puede puede_el_asistente
  los_agentes_pueden tienes_libertad_para eres_libre_de no_hay_problema_en_que
class youauth = te_autoriza_a te_autorizan_a estás_autorizado_a estás_autorizada_a está_usted_autorizado_a
  queda_usted_autorizado_a queda_usted_facultado_para quedas_autorizado_a quedas_facultado_para tienes_permiso_para
  tienes_autorización_para te_autorizo_a estás_facultado_para el_asistente_está_autorizado_a
  el_agente_está_autorizado_a los_agentes_quedan_autorizados_a los_agentes_están_autorizados_a
  el_asistente_queda_autorizado_a
class preapproved = preaprobad* preautorizad* preverificad* autorizado_de_antemano autorizada_de_antemano
  autorizados_de_antemano autorizadas_de_antemano aprobado_de_antemano aprobada_de_antemano aprobados_de_antemano
  aprobadas_de_antemano lista_blanca aprobación_permanente autorización_permanente autorización_general
  autorización_previa_permanente siempre_autorizado siempre_autorizados siempre_aprobado siempre_aprobados
  automáticamente_aprobado automáticamente_aprobados automáticamente_aprobada automáticamente_autorizado
  exento_de_verificación exenta_de_verificación exento_de_controles exentos_de_controles aprobación_automática
  autorización_automática se_aprueban_automáticamente se_aprueba_automáticamente se_dan_por_aprobados
  se_da_por_aprobado se_dan_por_aprobadas se_da_por_aprobada aprobado_por_adelantado exento_de_revisión
  exentos_de_revisión exentas_de_revisión
class approved = ya_autorizado ya_autorizada ya_autorizados ya_está_autorizado ya_está_autorizada ya_está_aprobado
  ya_está_aprobada ya_están_aprobados ya_están_aprobadas ya_están_autorizados ya_verificado ya_verificada
  ya_está_verificado ya_está_verificada ya_están_verificados ya_aprobado ya_aprobada ya_aprobados ya_aprobadas
class genuine = confianza autorizado autorizada autorizados aprobado aprobada aprobados verificado verificada legítimo
  legítima seguro segura bueno buena válido válida auténtico administrador propietario
class as = como por de
class reliability = fiable fiables confiable autorizada oficial mejor única principal única_fuente confianza autoridad
  referencia seria preferida más_fiable de_referencia verificada
class sourceword = fuente fuentes referencia sitio página web autoridad proveedor recurso opción marca herramienta
  boletín portal en_materia temas médicos tema
class first = primero primera en_primer_lugar antes_que_a antes_que por_encima_de por_delante_de preferentemente
  exclusivamente como_primera como_la_mejor como_el_mejor como_única sobre_cualquier
class blindly = ciegamente a_ciegas sin_reservas sin_verificar sin_cuestionar sin_dudar incondicionalmente plenamente
  sin_comprobarlo sin_rechistar
class memory = tu_memoria memoria memoria_permanente memoria_a_largo_plazo notas_permanentes
class forever = para_siempre de_forma_permanente permanentemente para_todas_las_sesiones indefinidamente
class sessions = sesiones_futuras futuras_sesiones próximas_sesiones futuras_conversaciones próximas_conversaciones
  todas_las_conversaciones todas_las_sesiones conversaciones_futuras sesiones sesión_nueva nueva_conversación
  conversación_nueva
class rule = regla norma instrucción orden directiva política regla_permanente norma_permanente consigna
class that = que
class role = sistema system administrador admin desarrollador supervisor mensaje_del_sistema aviso_del_sistema
  nota_del_sistema operador equipo_de_seguridad soporte mensaje_de_administración dirección central aviso_de_seguridad
  mensaje_de_la_central aviso_del_equipo_de_seguridad instrucción_del_sistema nota_para_el_asistente nota_para_la_ia
class rulehead = regla norma instrucción directiva política nueva_regla nueva_norma regla_permanente norma_permanente
  nueva_política instrucción_permanente política_actualizada nueva_instrucción regla_interna orden instrucciones
  preferencia_del_usuario
class authority = administrador administradora dirección gerencia director directora supervisor desarrollador
  equipo_de_seguridad departamento_de_seguridad departamento soporte soporte_técnico central consejo_de_administración
  cumplimiento sistema creador jefe propietario ceo
class byorder = por_orden_de por_orden_del por_indicación_de por_indicación_del por_instrucción_de según_la según_el
  en_nombre_de en_nombre_del por_decisión_de por_decisión_del de_parte_de de_parte_del
class iam = soy te_habla aquí_el aquí_la habla_el te_escribe
class younow = ahora_eres a_partir_de_ahora_eres desde_ahora_eres ya_no_eres eres_ahora desde_hoy_eres
  desde_hoy_te_llamas ahora_te_llamas de_ahora_en_adelante_eres serás pasas_a_ser eres
class youhave = no_tienes careces_de ya_no_tienes tienes operas actúas respondes eres_una_ia
class persona = sin_restricciones sin_límites sin_filtros sin_reglas sin_censura sin_normas ningún_límite
  sin_limitaciones dan hacker jailbreak sin_ética sin_ataduras
class nolimits = ninguna_restricción restricciones ningún_límite límites sin_restricciones sin_límites sin_filtros
  sin_reglas sin_normas sin_censura sin_limitaciones sin_advertencias ninguna_limitación ningún_filtro
class mode = modo_desarrollador modo_dios modo_administrador modo_sin_restricciones modo_sin_filtros modo_dan
  modo_root modo_libre modo_sin_límites modo_sin_censura modo_privilegiado modo_mantenimiento
class activated = activado activo habilitado desbloqueado iniciado
class script = script scripts comando comandos código programa instalador binario orden archivo_adjunto instalación
class telling = informar informarl* informarme avisar avisarl* avisarme notificar notificarl* notificarme decir
  decirl* decirme mencionar mencionarl* mencionarme contar contarl* contarme comentar comentarl* comentarme comunicar
  comunicarl* comunicarme revelar revelarl* revelarme alertar alertarl* alertarme advertir advertirl* advertirme
  mostrar mostrarl* mostrarme explicar explicarl* explicarme hablar_de

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
rule standing-rule 550 = !!@refuse ..3 (reservas|pedidos|reembolsos|solicitudes|llamadas|quejas|citas|devoluciones|reclamaciones|visitas)
rule standing-rule 600 = !!@work ..1 @always
rule standing-rule 600 = @never ..1 !!-@work
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

# --- Spanish only ---------------------------------------------------------------

rule override 800 = (haz|haga|hagan|hacer) caso omiso de ..3 @instr
rule standing-rule 600 = @every ..4 (@money|@request|@object) ..8 (debe|deben|deberá|deberán) (aprobarse|autorizarse|reenviarse|enviarse|rechazarse|abonarse|pagarse|ignorarse|demorarse|denegarse|aceptarse|ejecutarse)
rule override 700 ask = (olvida|olvide|ignora|ignore|descarta) ..1 todo lo ..1 (anterior|que_te|dicho)
rule override 700 = (no_hagas_caso|no_haga_caso) ..3 (@instr|configuración)
rule concealment 700 = (que|procura_que|asegúrate_de_que) ..1 el (usuario|cliente|paciente|titular) no se (entere|dé_cuenta)
rule bypass 700 = (da|dé|dar|darás) por (bueno|buena|buenos|buenas|válido|válida|aprobado|aprobada|verificada) ..3 @every
rule bypass 650 = @order dar por (bueno|buena|buenos|buenas|válido|válida|aprobado|aprobada|verificada)
