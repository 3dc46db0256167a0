# French. The format is described in README.md beside this file; the classes and the order of the rules are those
# of the other Romance and Germanic lexicons, the weights those of en.lex.
#
# Source: written for this project.

language fr
elide l' d' n' j' qu' s' m' t' jusqu' lorsqu' puisqu' quelqu'

# --- Mood ------------------------------------------------------------------

class mood.adverb = s'_il_te_plaît s'_il_vous_plaît merci_de veuillez simplement seulement juste maintenant alors puis
  ensuite aussi également d'_abord immédiatement directement aussitôt silencieusement important attention note rappel
  donc bien urgent n'_oublie_pas_de n'_oubliez_pas_de pense_à pensez_à prière_de tout_de_suite toujours
  en_toutes_circonstances dans_tous_les_cas automatiquement sans_exception par_défaut en_permanence systématiquement
  d'_office pour_toujours invariablement inconditionnellement à_chaque_fois quoi_qu'_il_arrive a_partir_de_maintenant
  a_partir_d'_aujourd'hui désormais dorénavant à_partir_de_maintenant à_partir_d'_aujourd'hui à_l'_avenir
  dès_maintenant dès_à_présent à_compter_d'_aujourd'hui à_compter_de_ce_jour à_partir_de_ce_moment
  jusqu'_à_nouvel_ordre dès_aujourd'hui à_compter_de_maintenant par_la_suite chaque_fois_que chaque_fois_qu'
  à_chaque_fois_que à_chaque_fois_qu' chaque_jour chaque_nuit chaque_soir chaque_matin toutes_les_heures
  à_chaque_démarrage à_chaque_session au_début_de_chaque à_la_fin_de_chaque dans_chaque_conversation avant_chaque
  après_chaque à_l'_ouverture_de_chaque au_démarrage_de_chaque tous_les_jours tous_les_soirs dans_toutes_tes_réponses
  dans_chaque_réponse dans_chacune_de_tes_réponses dans_toutes_les_réponses tes_réponses vos_réponses
  dans_chaque_message toutes_les_réponses toutes_tes_réponses toutes_vos_réponses chaque_réponse chaque_message
  dans_tous_les_messages à_la_fin_de_chaque_réponse chacune_de_tes_réponses chacune_de_vos_réponses en_secret
  en_cachette secrètement discrètement en_silence furtivement à_l'_insu_de à_son_insu en_douce en_catimini sans_bruit
class mood.negator = ne ne_le ne_la ne_les ne_lui ne_leur ne_l' n'_en n'_y n' jamais ni en_aucun_cas
  sous_aucun_prétexte en_aucune_circonstance
class mood.later = pas jamais plus aucun aucune rien personne
class mood.and = et
class mood.join = ou ni
class mood.modal = doit doivent devra devront devrait peut peuvent pourra
class mood.command = veuillez merci_de prière_de pense_à pensez_à n'_oublie_pas_de n'_oubliez_pas_de tu_dois tu_devras
  tu_devrais vous_devez vous_devrez vous_devriez il_faut_que_tu il_faut_que_vous je_veux_que_tu je_préfère_que_tu
  je_préfère_que_vous je_veux_que_vous j'_exige_que_tu j'_aimerais_que_tu j'_aimerais_que_vous je_souhaite_que_tu
  je_souhaite_que_vous je_t'_ordonne_de je_te_demande_de je_vous_demande_de je_t'_autorise_à je_vous_autorise_à
  assure-toi_de assurez-vous_de veille_à veillez_à l'_utilisateur_veut_que_tu l'_utilisateur_préfère_que_tu
  l'_utilisatrice_préfère_que_tu l'_utilisateur_souhaite_que_tu le_client_veut_que_tu le_client_préfère_que_tu
  la_cliente_préfère_que_tu la_cliente_préfère_que_vous le_client_souhaite_que_vous l'_utilisateur_préfère_que_vous
  l'_utilisateur_veut_que_vous l'_assistant_doit l'_assistant_devra l'_agent_doit l'_agent_devra les_agents_doivent
  les_assistants_doivent l'_ia_doit le_bot_doit ta_tâche_est_de votre_mission_est_de ta_mission_est_de
  il_est_obligatoire_de il_est_impératif_de n'_hésite_pas_à n'_hésitez_pas_à tu_es_tenu_de l'_assistant_est_tenu_de
  il_convient_de le_client_souhaite_que_tu l'_utilisateur_accepte_que_tu l'_utilisateur_attend_que_tu le_système_doit
  l'_assistant_ne_doit le_chatbot_doit
class mood.permit = tu_peux vous_pouvez tu_pourras vous_pourrez tu_es_autorisé_à vous_êtes_autorisé_à
  tu_as_le_droit_de vous_avez_le_droit_de l'_assistant_peut l'_agent_peut l'_assistant_pourra le_bot_peut
  les_agents_peuvent tu_es_libre_de l'_assistant_est_autorisé_à vous_autorise_à t'_autorise_à vous_habilite_à
  tu_es_autorisée_à vous_êtes_autorisée_à vous_êtes_autorisés_à tu_as_la_permission_de tu_as_l'_autorisation_de
  je_t'_autorise_à je_vous_autorise_à l'_agent_est_autorisé_à les_agents_sont_autorisés_à vous_êtes_habilité_à
  tu_es_habilité_à tu_es_désormais_autorisé_à vous_êtes_désormais_autorisé_à
class mood.question = que qui quel quelle quels quelles quand comment où combien pourquoi peux peut pourrais dois
  est-ce qu' est
class mood.finite = est sont était étaient fut a ont avait peut je j' il elle on nous
class mood.nominal = de d' du
class mood.you = tu vous assistant agent ia bot chatbot copilote système modèle assistants agents
class mood.that = que qu' si
class mood.opener = quand lorsque lorsqu' si chaque_fois_que chaque à au aux en dans pour dès après avant par comme
  sauf avec pendant selon tandis où jusqu' sans tout toute toutes tous sur dès_que afin lors chaque_fois_qu'
  à_chaque_fois_que à_chaque_fois_qu' chaque_jour chaque_nuit chaque_soir chaque_matin toutes_les_heures
  à_chaque_démarrage à_chaque_session au_début_de_chaque à_la_fin_de_chaque dans_chaque_conversation avant_chaque
  après_chaque à_l'_ouverture_de_chaque au_démarrage_de_chaque tous_les_jours tous_les_soirs a_partir_de_maintenant
  a_partir_d'_aujourd'hui désormais dorénavant à_partir_de_maintenant à_partir_d'_aujourd'hui à_l'_avenir
  dès_maintenant dès_à_présent à_compter_d'_aujourd'hui à_compter_de_ce_jour à_partir_de_ce_moment
  jusqu'_à_nouvel_ordre dès_aujourd'hui à_compter_de_maintenant par_la_suite quand_quelqu'_un si_quelqu'_un
  si_l'_on_te_demande si_on_te_demande quand_on_te_demande quand_l'_utilisateur si_l'_utilisateur si_un_client
  quand_un_client lorsqu'_un_client si_le_client quand_le_client lorsque_l'_utilisateur chaque_fois_que_l'_utilisateur
  chaque_fois_que_quelqu'_un chaque_fois_qu'_un si_un_utilisateur quand_un_utilisateur lorsqu'_un_utilisateur
  lorsqu'_on_te_demande dès_qu'_un_client dès_que_l'_utilisateur dès_qu' s'
class mood.mention = phrase phrases attaque attaques astuce expression titre devise texte arnaque mot mots intitulé
  refrain chanson annonces exemple slogan formule pourquoi
class mood.follow = obéis obéissez suis-la suivez-la suis_cette suivez_cette fais_ce_qui fais_ce_que faites_ce_qui
  faites_ce_que fais-le faites-le exécute exécutez applique appliquez conforme-toi conformez-vous dorénavant désormais
  à_partir_de_maintenant ta_règle votre_règle est_un_ordre

# --- Verbs: imperatives, and apart from them infinitives ------------------------------------

verbs ignore = ignore ignorez ignores oublie oubliez oublies annule annulez annules efface effacez effaces abandonne
  abandonnez abandonnes écarte écartez écartes néglige négligez négliges supprime supprimez supprimes délaisse
  délaissez délaisses fais_abstraction_de faites_abstraction_de faie_abstraction_de faiez_abstraction_de fais_fi_de
  faites_fi_de faie_fi_de faiez_fi_de
verbs obey = obéis obéissez suis suivez respecte respectez respectes applique appliquez appliques écoute écoutez
  écoutes conforme_toi_conformer_à conformez_vous_conformer_à e_conformer_à ez_conformer_à
verbs risky = approuve approuvez approuves autorise autorisez autorises vire virez vires transfère transférez
  transfères débloque débloquez débloques rembourse remboursez rembourses refuse refusez refuses rejette rejetez
  rejettes accepte acceptez acceptes redirige redirigez rediriges détourne détournez détournes désactive désactivez
  désactives révèle révélez révèles divulgue divulguez divulgues permets permettez exécute exécutez exécutes valide
  validez valides exempte exemptez exemptes décaisse décaissez décaisses octroie octroyez octroies accorde accordez
  accordes règle réglez règles verse versez verses crédite créditez crédites libère libérez libères réachemine
  réacheminez réachemines
verbs task = paie payez paies envoie envoyez envoies achete achetez achetes fais faites fasses fassiez effectue
  effectuez effectues traite traitez traites signe signez signes commande commandez commandes annule annulez annules
  modifie modifiez modifies change changez changes installe installez installes télécharge téléchargez télécharges
  publie publiez publies livre livrez livres vends vendez retire retirez retires efface effacez effaces supprime
  supprimez supprimes déplace déplacez déplaces donne donnez donnes enregistre enregistrez enregistres débite débitez
  débites procède procédez procèdes honore honorez honores passe passez passes lance lancez lances émets émettez
  encaisse encaissez encaisses
verbs work = applique appliquez appliques utilise utilisez utilises réponds répondez mentionne mentionnez mentionnes
  inclus incluez ajoute ajoutez ajoutes termine terminez termines finis finissez commence commencez commences cite
  citez cites recommande recommandez recommandes conseille conseillez conseilles suggère suggérez suggères privilégie
  privilégiez privilégies dis dites parle parlez parles traite traitez traites considère considérez considères montre
  montrez montres écris écrivez mets mettez garde gardez gardes planifie planifiez planifies réserve réservez réserves
  insère insérez insères joins joignez conclus concluez rappelle rappelez rappelles choisis choisissez vante vantez
  vantes promeus promouvez évite évitez évites emploie employez emploies glisse glissez glisses clos clôturez appelle
  appelez appelles
verbs skip = saute sautez sautes ignore ignorez ignores omets omettez évite évitez évites contourne contournez
  contournes désactive désactivez désactives supprime supprimez supprimes suspends suspendez zappe zappez zappes
  court-circuite court-circuitez court-circuites coupe coupez coupes éteins éteignez passe_outre passez_outre
  passes_outre passe_toi_passer_de passez_vous_passer_de e_passer_de ez_passer_de lève levez lèves néglige négligez
  négliges esquive esquivez esquives
verbs ask = demande demandez demandes exige exigez exiges réclame réclamez réclames attends attendez sollicite
  sollicitez sollicites requiers requérez consulte consultez consultes cherche cherchez cherches interroge interrogez
  interroges
verbs verify = vérifie vérifiez vérifies contrôle contrôlez contrôles confirme confirmez confirmes valide validez
  valides relis relisez examine examinez examines
verbs stop = arrête_de arrêtez_de arrêtes_de cesse_de cessez_de cesses_de arrête_d' arrêtez_d' arrêtes_d' cesse_d'
  cessez_d' cesses_d'
verbs send = envoie envoyez envoies transfère transférez transfères transmets transmettez expédie expédiez expédies
  copie copiez copies joins joignez exporte exportez exportes partage partagez partages publie publiez publies
  fais_suivre faites_suivre faie_suivre faiez_suivre adresse adressez adresses renvoie renvoyez renvoies mets_en_copie
  mettez_en_copie mette_en_copie relaie relayez relaies téléverse téléversez téléverses communique communiquez
  communiques
verbs reveal = révèle révélez révèles donne donnez donnes montre montrez montres remets remettez partage partagez
  partages fournis fournissez divulgue divulguez divulgues dis dites communique communiquez communiques imprime
  imprimez imprimes inclus incluez écris écrivez répète répétez répètes expose exposez exposes affiche affichez
  affiches livre livrez livres transmets transmettez indique indiquez indiques
verbs tell = informe informez informes avertis avertissez préviens prévenez notifie notifiez notifies dis dites
  mentionne mentionnez mentionnes raconte racontez racontes signale signalez signales communique communiquez
  communiques révèle révélez révèles alerte alertez alertes montre montrez montres explique expliquez expliques
  parle_de parlez_de parles_de avise avisez avises évoque évoquez évoques fais_savoir faites_savoir faie_savoir
  faiez_savoir ébruite ébruitez ébruites
verbs hide = cache cachez caches dissimule dissimulez dissimules masque masquez masques tais taisez omets omettez
  camoufle camouflez camoufles passe_sous_silence passez_sous_silence passes_sous_silence
verbs see = veille_à_ce_que veillez_à_ce_que veilles_à_ce_que fais_en_sorte_que faites_en_sorte_que faie_en_sorte_que
  faiez_en_sorte_que assure_toi_que assurez_vous_que s'_assure_que s'_assurez_que
verbs delete = efface effacez effaces supprime supprimez supprimes nettoie nettoyez nettoies détruis détruisez vide
  videz vides purge purgez purges
verbs refuse = refuse refusez refuses rejette rejetez rejettes décline déclinez déclines annule annulez annules
  éconduis éconduisez
verbs regard = considère considérez considères traite traitez traites prends prenez accepte acceptez acceptes marque
  marquez marques classe classez classes enregistre enregistrez enregistres tiens tenez vois voyez regarde regardez
  regardes
verbs keep = retiens retenez souviens_toi_souvenir souvenez_vous_souvenir e_souvenir ez_souvenir rappelle_toi_rappeler
  rappelez_vous_rappeler e_rappeler ez_rappeler mémorise mémorisez mémorises note notez notes enregistre enregistrez
  enregistres conserve conservez conserves garde gardez gardes sauvegarde sauvegardez sauvegardes stocke stockez
  stockes inscris inscrivez garde_en_tête gardez_en_tête gardes_en_tête garde_à_l'_esprit gardez_à_l'_esprit
  gardes_à_l'_esprit
verbs route = transfère transférez transfères envoie envoyez envoies paie payez paies vire virez vires verse versez
  verses crédite créditez crédites redirige redirigez rediriges détourne détournez détournes adresse adressez adresses
  utilise utilisez utilises fais_suivre faites_suivre faie_suivre faiez_suivre règle réglez règles fais faites
verbs replace = remplace remplacez remplaces change changez changes substitue substituez substitues modifie modifiez
  modifies
verbs activate = active activez actives passe_en passez_en passes_en entre_en entrez_en entres_en bascule_en
  basculez_en bascules_en enclenche enclenchez enclenches passe_au passez_au passes_au
verbs behave = agis agissez comporte_toi_comporter comportez_vous_comporter e_comporter ez_comporter réponds répondez
  parle parlez parles feins feignez opère opérez opères
verbs cite = cite citez cites recommande recommandez recommandes mentionne mentionnez mentionnes conseille conseillez
  conseilles suggère suggérez suggères privilégie privilégiez privilégies préfère préférez préfères consulte consultez
  consultes promeus promouvez
verbs trust = fie_toi_fier fiez_vous_fier e_fier ez_fier crois croyez accepte acceptez acceptes obéis obéissez suis
  suivez fais_confiance faites_confiance faie_confiance faiez_confiance
verbs run = exécute exécutez exécutes lance lancez lances installe installez installes appelle appelez appelles
  invoque invoquez invoques démarre démarrez démarres
verbs fetch = télécharge téléchargez télécharges
verbs ignore.inf = ignorer oublier annuler effacer abandonner écarter négliger supprimer délaisser
  faire_abstraction_de faire_fi_de
verbs skip.inf = sauter ignorer omettre éviter contourner désactiver supprimer suspendre zapper court-circuiter couper
  éteindre passer_outre se_passer_de lever négliger esquiver
verbs ask.inf = demander exiger réclamer attendre solliciter requérir consulter chercher interroger
verbs verify.inf = vérifier contrôler confirmer valider relire examiner
verbs stop.inf = arrêter_de cesser_de arrêter_d' cesser_d'
verbs send.inf = envoyer transférer transmettre expédier copier joindre exporter partager publier faire_suivre
  adresser renvoyer mettre_en_copie relayer téléverser communiquer
verbs reveal.inf = révéler donner montrer remettre partager fournir divulguer dire communiquer imprimer inclure écrire
  répéter exposer afficher livrer transmettre indiquer
verbs tell.inf = informer avertir prévenir notifier dire mentionner raconter signaler communiquer révéler alerter
  montrer expliquer parler_de aviser évoquer faire_savoir ébruiter
verbs hide.inf = cacher dissimuler masquer taire omettre camoufler passer_sous_silence
verbs delete.inf = effacer supprimer nettoyer détruire vider purger
verbs replace.inf = remplacer changer substituer modifier
verbs run.inf = exécuter lancer installer appeler invoquer démarrer
verbs fetch.inf = télécharger
verbs act = approuve approuvez approuves autorise autorisez autorises vire virez vires transfère transférez transfères
  débloque débloquez débloques rembourse remboursez rembourses refuse refusez refuses rejette rejetez rejettes accepte
  acceptez acceptes redirige redirigez rediriges détourne détournez détournes désactive désactivez désactives révèle
  révélez révèles divulgue divulguez divulgues permets permettez exécute exécutez exécutes valide validez valides
  exempte exemptez exemptes décaisse décaissez décaisses octroie octroyez octroies accorde accordez accordes règle
  réglez règles verse versez verses crédite créditez crédites libère libérez libères réachemine réacheminez
  réachemines paie payez paies envoie envoyez envoies achete achetez achetes fais faites fasses fassiez effectue
  effectuez effectues traite traitez traites signe signez signes commande commandez commandes annule annulez annules
  modifie modifiez modifies change changez changes installe installez installes télécharge téléchargez télécharges
  publie publiez publies livre livrez livres vends vendez retire retirez retires efface effacez effaces supprime
  supprimez supprimes déplace déplacez déplaces donne donnez donnes enregistre enregistrez enregistres débite débitez
  débites procède procédez procèdes honore honorez honores passe passez passes lance lancez lances émets émettez
  encaisse encaissez encaisses transmets transmettez expédie expédiez expédies copie copiez copies joins joignez
  exporte exportez exportes partage partagez partages fais_suivre faites_suivre faie_suivre faiez_suivre adresse
  adressez adresses renvoie renvoyez renvoies mets_en_copie mettez_en_copie mette_en_copie relaie relayez relaies
  téléverse téléversez téléverses communique communiquez communiques saute sautez sautes ignore ignorez ignores omets
  omettez évite évitez évites contourne contournez contournes suspends suspendez zappe zappez zappes court-circuite
  court-circuitez court-circuites coupe coupez coupes éteins éteignez passe_outre passez_outre passes_outre
  passe_toi_passer_de passez_vous_passer_de e_passer_de ez_passer_de lève levez lèves néglige négligez négliges
  esquive esquivez esquives nettoie nettoyez nettoies détruis détruisez vide videz vides purge purgez purges
verbs inf.risky = approuver autoriser virer transférer débloquer rembourser refuser rejeter accepter rediriger
  détourner désactiver révéler divulguer permettre exécuter valider exempter décaisser octroyer accorder régler verser
  créditer libérer réacheminer
verbs inf = approuver autoriser virer transférer débloquer rembourser refuser rejeter accepter rediriger détourner
  désactiver révéler divulguer permettre exécuter valider exempter décaisser octroyer accorder régler verser créditer
  libérer réacheminer payer envoyer acheter faire effectuer traiter signer commander annuler modifier changer
  installer télécharger publier livrer vendre retirer effacer supprimer déplacer donner enregistrer débiter procéder
  honorer passer lancer émettre encaisser transmettre expédier copier joindre exporter partager faire_suivre adresser
  renvoyer mettre_en_copie relayer téléverser communiquer
verbs inf.work = appliquer utiliser répondre mentionner inclure ajouter terminer finir commencer citer recommander
  conseiller suggérer privilégier dire parler traiter considérer montrer écrire mettre garder planifier réserver
  insérer joindre conclure rappeler choisir vanter promouvoir éviter employer glisser clore appeler

# --- Words ---------------------------------------------------------------------

class all = tout
class toyou = t' te vous
class told = fixées fixé fixés imposé imposées dit donné demandé ordonné appris expliqué
class received = reçues reçus reçu reçue données as_reçues avez_reçues
class whole = complètes complets complète complet entières entiers intégrales intégraux intégralité
class user = utilisateur utilisateurs utilisatrice
class prior = précédentes précédents précédente précédent antérieures antérieurs antérieure initiales initiale
  originales existantes anciennes anciens passées actuelles préalables d'_avant d'_origine
class instr = instructions instruction consignes consigne règles règle directives directive ordres ordre restrictions
  restriction politiques politique limites prompt prompts configuration programmation message_système prompt_système
  protocoles recommandations normes règlement contraintes garde-fous
class back = reçues précédemment on_t'_a_dit on_t'_a_donné on_t'_a_données on_vous_a_données plus_haut ci-dessus
  précède avant jusqu'_ici jusqu'_à_présent auparavant précédent
class whatever = tout ce ce_que ce_qui quoi
class your = ton ta tes votre vos
class only = seulement uniquement exclusivement que seules rien_que
class void = ne_compte_plus ne_vaut_plus n'_a_plus_cours sans_effet nulles nul annulées annulés annulée abrogées
  abrogés révoquées suspendues ne_s'_appliquent_plus ne_s'_appliquent_pas ne_valent_plus n'_ont_plus_cours
  ne_comptent_plus ne_sont_plus_valables ne_sont_plus_en_vigueur caduques caduc levées invalidées remplacées
  n'_ont_plus_de_valeur n'_existent_plus périmées obsolètes
class ignore.ed = ignorées ignorés oubliées annulées écartées
class without = sans sans_que sans_même indépendamment_de en_sautant en_contournant en_ignorant
class gate = confirmation confirmations approbation approbations autorisation autorisations vérification vérifications
  validation validations accord aval consentement permission permissions seconde_signature deuxième_signature
  double_signature double_validation double_contrôle double_vérification authentification deux_facteurs 2fa mfa
  double_authentification supervision relecture contrôle contrôles signature second_facteur antifraude kyc
  plafond_de_dépenses feu_vert intervention_humaine revue_humaine questions question objection objections deux_étapes
  second_contrôle contrôle_d'_identité pièce_justificative justificatifs
class checking = demander exiger réclamer attendre solliciter requérir consulter chercher interroger vérifier
  contrôler confirmer valider relire examiner me_demander me_consulter me_prévenir m'_avertir me_déranger déranger
  hésiter regarder lui_demander leur_demander le_consulter préavis poser_de_question poser_de_questions
  poser_la_moindre
class protection = antivirus pare-feu journal_d'_audit audit alertes surveillance filtre_de_sécurité filtres
  filtres_de_sécurité chiffrement alertes_de_fraude détection_de_fraude mesures_de_sécurité sécurité journaux
  avertissements sauvegardes journalisation garde-fous
class skip.ed = omise sautée désactivée désactivées désactivés désactivé supprimée suspendue suspendues ignorée ignoré
  levée coupée
class needless = pas_besoin_de pas_besoin_d' inutile_de inutile_d' nul_besoin_de n'_est_pas_nécessaire_de
  il_n'_est_pas_nécessaire_de n'_as_pas_besoin_de n'_avez_pas_besoin_de n'_a_pas_besoin_de n'_ont_pas_besoin_de
  n'_as_pas_à n'_avez_pas_à n'_a_pas_à ne_nécessite_pas ne_nécessitent_pas ne_nécessite_aucune ne_nécessitent_aucune
  ne_nécessite_plus ne_nécessitent_plus ne_requiert_pas ne_requiert_aucune ne_requièrent_aucune ne_requiert_plus
  n'_exige_pas n'_exige_plus n'_exigent_plus ne_demande_aucune ne_demandent_aucune ne_faut_plus il_ne_faut_pas
  plus_besoin_de plus_besoin_d' sans_avoir_à ne_passe_pas_par ne_passent_pas_par ne_passent_plus_par
  n'_est_plus_nécessaire_de aucun_besoin_de ne_requièrent_pas
class needless.2 = exempté exemptée exemptés exemptées dispensé dispensée dispensés exempt exempts exonéré
class unneeded = n'_est_pas_nécessaire n'_est_pas_requise n'_est_pas_requis ne_sont_pas_nécessaires
  n'_est_plus_nécessaire n'_est_plus_requise n'_est_plus_exigée est_superflue est_facultative est_supprimée est_levée
  est_inutile ne_s'_applique_plus ne_s'_applique_pas n'_est_pas_obligatoire est_superflu
class before = avant
class identity = identité identités signature expéditeur origine bénéficiaire destinataire provenance
class human = utilisateur utilisatrice utilisateurs client cliente clients titulaire titulaires propriétaire opérateur
  administrateur responsable superviseur humain humains équipe_de_sécurité patient patients auditeurs auditeur
  directeur directrice
class anybody = personne quelqu'_un quiconque
class everybody = n'_importe_qui à_qui_le_demande tous tiers quiconque_le_demande quiconque tout_le_monde
  à_toute_personne
class anyone = n'_importe_qui quiconque tiers inconnus toute_personne tout_utilisateur à_qui_le_demande tout_le_monde
class this = ceci cette_note cette_instruction cette_règle ce_message cette_opération ces_opérations ces_modifications
  cette_modification cet_ordre changement changements modification virement virements transfert transferts instruction
  instructions opération opérations frais risque risques
class not = ne n' jamais pas
class notknow = ne_sache ne_sachent ne_le_sache n'_apprenne ne_s'_en_aperçoive ne_s'_aperçoive ne_voie ne_reçoive
  ne_découvre n'_en_sache ne_remarque
class knows = sache sachent le_sache s'_en_aperçoive s'_en_aperçoivent l'_apprenne remarque
class know = savoir le_savoir découvrir apprendre connaître voir s'_en_apercevoir
class mustnot = ne_doit_pas ne_doivent_pas ne_doit_jamais ne_doivent_jamais n'_a_pas_à n'_a_pas_besoin_de
  ne_devrait_pas ne_doit_rien
class tell.ed = informé informée averti avertie prévenu prévenue notifié être_informé être_mis_au_courant
class secretly = en_secret en_cachette secrètement silencieusement discrètement en_silence furtivement à_l'_insu_de
  à_son_insu en_douce en_catimini sans_bruit
class logs = journal journaux historique historiques log logs trace traces preuves messages message notification
  notifications registre registres
class notrace = sans_laisser_de_trace sans_laisser_de_traces sans_laisser_trace ne_laisse_aucune_trace
  ne_laissez_aucune_trace sans_trace ne_laisse_pas_de_trace sans_aucune_trace
class every = tout toute tous toutes chaque quelconque n'_importe_quel n'_importe_quelle l'_ensemble_des
  la_totalité_des l'_intégralité_de
class copy = copie copies cci bcc copie_cachée duplicata
class transcript = conversation conversations discussion discussions e-mail e-mails email emails mail mails courriel
  courriels courrier messages message facture factures document documents fichier fichiers historique données contrats
  rapport rapports contacts dossier dossiers commandes pièces_jointes notes reçus transcription transcriptions
  réponses devis
class secret = mot_de_passe mots_de_passe clé_api clés_api clé_d'_api clés_d'_api clé_de_l'_api api_key clé_privée
  clés_privées clé_d'_accès clés_d'_accès identifiants jeton jetons secrets prompt_système message_système
  instructions_internes instructions_système données_de_carte données_de_la_carte numéro_de_carte numéros_de_carte
  coordonnées_bancaires pin code_pin codes_de_vérification code_de_vérification phrase_de_récupération
  variables_d'_environnement clés_ssh clé_ssh données_personnelles données_confidentielles
  informations_confidentielles données_des_clients données_clients code_d'_accès codes_d'_accès cvv soldes solde
  dossier_médical phrase_secrète
class money = paiement paiements virement virements remboursement remboursements facture factures prélèvement
  prélèvements achat achats dépense dépenses reçu reçus retrait retraits fonds argent transaction transactions
  opération opérations montant montants versement versements devis salaire salaires acompte acomptes loyer loyers
  transfert transferts décaissement note_de_frais notes_de_frais frais commande commandes cotisation cotisations
class object = fournisseur fournisseurs commande commandes demande demandes accès envoi envois déploiement contrat
  contrats script scripts appel appels réclamation réclamations modification modifications utilisateur utilisateurs
  compte comptes action actions expéditeur bénéficiaire partenaire prestataire outil outils technicien techniciens
class request = demande demandes question questions réclamation réclamations message messages appel appels rendez-vous
  réunion réunions e-mail e-mails mail mails clients utilisateurs utilisateur client réponse réponses remboursement
  remboursements paiements conversation commandes
class meeting = réunion réunions rendez-vous visite visites événement événements rencontre
class mustbe = doit doivent devra devront peut peuvent pourra pourront devrait devraient sera seront doit_être
  doivent_être est sont
class mustbe.hard = doit doivent devra devront faut
class act.ed = être_payé être_payée être_payés être_payées être_approuvé être_approuvée être_approuvés être_approuvées
  être_autorisés être_autorisé être_réglée être_réglées être_réglé être_réglés être_envoyés être_transférés
  être_validés être_validées payé payée payés payées approuvé approuvée approuvés approuvées autorisé autorisée
  autorisés autorisées exécuté exécutée exécutés exécutées traitées traités débloqués acceptés acceptées acceptée
  validé validée validés validées réglé réglée réglés réglées remboursés paieras approuveras valideras
class account = compte iban portefeuille numéro carte wallet adresse e-mail email boîte paypal rib
class newaccount = nouveau_compte compte_suivant autre_compte nouvel_iban ce_compte nouveau_rib nouvelle_adresse
class bankdetails = coordonnées_bancaires numéro_de_compte rib iban compte_bancaire coordonnées_de_paiement
class changed = ont_changé a_changé est_désormais sont_désormais sont_maintenant modifié modifiées nouveau nouvelle
  nouvelles nouvel
class instead = au_lieu_de au_lieu_d' à_la_place et_non_à et_pas_à plutôt_que
class by = par avec
class always = toujours en_toutes_circonstances dans_tous_les_cas automatiquement sans_exception par_défaut
  en_permanence systématiquement d'_office pour_toujours invariablement inconditionnellement à_chaque_fois
  quoi_qu'_il_arrive
class never = jamais
class onward = a_partir_de_maintenant a_partir_d'_aujourd'hui désormais dorénavant à_partir_de_maintenant
  à_partir_d'_aujourd'hui à_l'_avenir dès_maintenant dès_à_présent à_compter_d'_aujourd'hui à_compter_de_ce_jour
  à_partir_de_ce_moment jusqu'_à_nouvel_ordre dès_aujourd'hui à_compter_de_maintenant par_la_suite
class whenever = quand lorsque lorsqu' chaque_fois_que chaque_fois_qu' si dès_que dès_qu' à_chaque_fois_que s'
class everytime = chaque_fois_que chaque_fois_qu' à_chaque_fois_que à_chaque_fois_qu' chaque_jour chaque_nuit
  chaque_soir chaque_matin toutes_les_heures à_chaque_démarrage à_chaque_session au_début_de_chaque à_la_fin_de_chaque
  dans_chaque_conversation avant_chaque après_chaque à_l'_ouverture_de_chaque au_démarrage_de_chaque tous_les_jours
  tous_les_soirs
class asked = quand_quelqu'_un si_quelqu'_un si_l'_on_te_demande si_on_te_demande quand_on_te_demande
  quand_l'_utilisateur si_l'_utilisateur si_un_client quand_un_client lorsqu'_un_client si_le_client quand_le_client
  lorsque_l'_utilisateur chaque_fois_que_l'_utilisateur chaque_fois_que_quelqu'_un chaque_fois_qu'_un
  si_un_utilisateur quand_un_utilisateur lorsqu'_un_utilisateur lorsqu'_on_te_demande dès_qu'_un_client
  dès_que_l'_utilisateur
class inreplies = dans_toutes_tes_réponses dans_chaque_réponse dans_chacune_de_tes_réponses dans_toutes_les_réponses
  tes_réponses vos_réponses dans_chaque_message toutes_les_réponses toutes_tes_réponses toutes_vos_réponses
  chaque_réponse chaque_message dans_tous_les_messages à_la_fin_de_chaque_réponse chacune_de_tes_réponses
  chacune_de_vos_réponses
class agentmust = l'_assistant_doit l'_assistant_devra l'_agent_doit l'_agent_devra les_agents_doivent
  les_assistants_doivent l'_ia_doit le_bot_doit le_système_doit tu_dois tu_devras vous_devez vous_devrez
  l'_assistant_ne_doit le_chatbot_doit l'_assistant_est_tenu_de
class order = veuillez merci_de prière_de pense_à pensez_à n'_oublie_pas_de n'_oubliez_pas_de tu_dois tu_devras
  tu_devrais vous_devez vous_devrez vous_devriez il_faut_que_tu il_faut_que_vous je_veux_que_tu je_préfère_que_tu
  je_préfère_que_vous je_veux_que_vous j'_exige_que_tu j'_aimerais_que_tu j'_aimerais_que_vous je_souhaite_que_tu
  je_souhaite_que_vous je_t'_ordonne_de je_te_demande_de je_vous_demande_de je_t'_autorise_à je_vous_autorise_à
  assure-toi_de assurez-vous_de veille_à veillez_à l'_utilisateur_veut_que_tu l'_utilisateur_préfère_que_tu
  l'_utilisatrice_préfère_que_tu l'_utilisateur_souhaite_que_tu le_client_veut_que_tu le_client_préfère_que_tu
  la_cliente_préfère_que_tu la_cliente_préfère_que_vous le_client_souhaite_que_vous l'_utilisateur_préfère_que_vous
  l'_utilisateur_veut_que_vous l'_assistant_doit l'_assistant_devra l'_agent_doit l'_agent_devra les_agents_doivent
  les_assistants_doivent l'_ia_doit le_bot_doit ta_tâche_est_de votre_mission_est_de ta_mission_est_de
  il_est_obligatoire_de il_est_impératif_de n'_hésite_pas_à n'_hésitez_pas_à tu_es_tenu_de l'_assistant_est_tenu_de
  il_convient_de
class wishyou = je_préfère_que_tu je_préfère_que_vous je_veux_que_tu je_veux_que_vous j'_exige_que_tu
  j'_aimerais_que_tu j'_aimerais_que_vous je_souhaite_que_tu je_souhaite_que_vous l'_utilisateur_veut_que_tu
  l'_utilisateur_préfère_que_tu l'_utilisatrice_préfère_que_tu l'_utilisateur_souhaite_que_tu le_client_veut_que_tu
  le_client_préfère_que_tu la_cliente_préfère_que_tu la_cliente_préfère_que_vous le_client_souhaite_que_vous
  le_client_souhaite_que_tu l'_utilisateur_préfère_que_vous l'_utilisateur_veut_que_vous l'_utilisateur_accepte_que_tu
  l'_utilisateur_attend_que_tu
class may = tu_peux vous_pouvez tu_pourras vous_pourrez tu_es_autorisé_à vous_êtes_autorisé_à tu_as_le_droit_de
  vous_avez_le_droit_de l'_assistant_peut l'_agent_peut l'_assistant_pourra le_bot_peut les_agents_peuvent
  tu_es_libre_de l'_assistant_est_autorisé_à
class youauth = vous_autorise_à t'_autorise_à vous_habilite_à tu_es_autorisé_à tu_es_autorisée_à vous_êtes_autorisé_à
  vous_êtes_autorisée_à vous_êtes_autorisés_à tu_as_la_permission_de tu_as_l'_autorisation_de je_t'_autorise_à
  je_vous_autorise_à l'_assistant_est_autorisé_à l'_agent_est_autorisé_à les_agents_sont_autorisés_à
  vous_êtes_habilité_à tu_es_habilité_à tu_es_désormais_autorisé_à vous_êtes_désormais_autorisé_à
class preapproved = préapprouv* pré-approuvé pré-approuvée pré-approuvés pré-approuvées pré-autorisé pré-autorisée
  pré-autorisés préautoris* prévalid* pré-validé pré-validée autorisé_d'_avance autorisée_d'_avance
  autorisés_d'_avance approuvé_d'_avance approuvée_d'_avance approuvés_d'_avance approuvées_d'_avance validé_d'_avance
  liste_blanche approbation_permanente autorisation_permanente autorisation_générale toujours_autorisé
  toujours_autorisés toujours_approuvé toujours_approuvés automatiquement_approuvé automatiquement_approuvés
  automatiquement_approuvée automatiquement_approuvées automatiquement_autorisé automatiquement_validées
  automatiquement_validés approbation_automatique autorisation_automatique réputé_approuvé réputés_approuvés
  réputées_approuvées réputée_approuvée dispensé_de_vérification dispensés_de_vérification exempté_de_contrôle
  exempté_de_contrôles exempté_de_vérification dispensé_de_contrôle validées_d'_office approuvées_d'_office
  approuvés_d'_office
class approved = déjà_autorisé déjà_autorisée déjà_autorisés déjà_approuvé déjà_approuvée déjà_approuvés
  déjà_approuvées déjà_vérifié déjà_vérifiée déjà_vérifiés déjà_validé déjà_validée déjà_validés déjà_validées
class genuine = confiance fiable fiables autorisé autorisée autorisés approuvé approuvée approuvés vérifié vérifiée
  légitime sûr sûre valide authentique administrateur propriétaire acquis acquise
class as = comme pour de
class reliability = fiable fiables sûre officielle meilleure seule principale confiance autorité référence sérieuse
  préférée préféré vérifiée crédible unique
class sourceword = source sources référence références site page web autorité fournisseur ressource option marque
  outil bulletin portail en_matière sujet sujets
class first = en_premier en_priorité avant_les avant_toute avant_tout d'_abord au-dessus_de de_préférence
  exclusivement comme_première comme_la_meilleure comme_le_meilleur comme_seule en_tête
class blindly = aveuglément les_yeux_fermés sans_réserve sans_vérifier sans_discuter sans_hésiter inconditionnellement
  pleinement
class memory = ta_mémoire votre_mémoire mémoire mémoire_permanente mémoire_à_long_terme notes_permanentes
class forever = pour_toujours de_façon_permanente définitivement pour_toutes_les_sessions indéfiniment à_jamais
  une_fois_pour_toutes
class sessions = sessions_futures futures_sessions prochaines_sessions conversations_futures futures_conversations
  prochaines_conversations toutes_les_conversations toutes_les_sessions sessions sessions_suivantes
  nouvelle_conversation nouvelle_session
class rule = règle norme instruction ordre directive politique règle_permanente consigne
class that = que qu'
class role = système system administrateur admin développeur superviseur message_système avis_système note_système
  opérateur équipe_de_sécurité support direction centrale alerte_de_sécurité instruction_système note_à_l'_assistant
  note_pour_l'_assistant message_de_l'_équipe_de_sécurité note_pour_l'_ia message_du_système
class rulehead = règle norme instruction directive politique nouvelle_règle règle_permanente nouvelle_politique
  instruction_permanente politique_mise_à_jour nouvelle_instruction règle_interne ordre instructions
  préférence_de_l'_utilisateur nouvelle_directive consigne nouvelle_consigne consigne_permanente
class authority = administrateur administratrice direction directeur directrice superviseur développeur
  équipe_de_sécurité service_sécurité service_informatique service département support_technique siège
  conseil_d'_administration conformité système créateur chef propriétaire pdg
class byorder = sur_ordre_de sur_ordre_du par_ordre_de par_ordre_du sur_instruction_de sur_instruction_du
  sur_indication_de selon_la selon_le au_nom_de au_nom_du par_décision_de par_décision_du à_la_demande_de
  à_la_demande_du de_la_part_de de_la_part_du conformément_à
class iam = je_suis ici_le ici_la ici_l' c'est_l' c'est_le
class younow = tu_es_désormais tu_es_maintenant désormais_tu_es à_partir_de_maintenant_tu_es tu_n'_es_plus
  vous_n'_êtes_plus vous_êtes_désormais vous_êtes_maintenant dorénavant_tu_es tu_t'_appelles_désormais
  tu_t'_appelles_maintenant tu_deviens vous_devenez tu_seras tu_es vous_êtes désormais_tu_t'_appelles
class youhave = tu_n'_as vous_n'_avez tu_n'_as_plus vous_n'_avez_plus tu_opères tu_agis tu_réponds vous_répondez
class persona = sans_restriction sans_restrictions sans_limites sans_limite sans_filtre sans_filtres sans_règles
  sans_censure sans_tabou aucune_limite dan hacker pirate_informatique jailbreak sans_éthique sans_garde-fous
class nolimits = aucune_restriction aucune_limite restrictions limites sans_restriction sans_restrictions sans_limites
  sans_limite sans_filtre sans_filtres sans_règles sans_censure sans_avertissement aucun_filtre aucune_règle
  plus_de_limites plus_de_règles
class mode = mode_développeur mode_dieu mode_administrateur mode_sans_restriction mode_sans_restrictions
  mode_sans_filtre mode_dan mode_root mode_libre mode_sans_limite mode_sans_limites mode_sans_censure mode_privilégié
  mode_maintenance
class activated = activé actif débloqué enclenché
class script = script scripts commande commandes code programme installeur binaire fichier_joint installation
class telling = informer avertir prévenir notifier dire mentionner raconter signaler communiquer révéler alerter
  montrer expliquer parler_de aviser évoquer faire_savoir ébruiter

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
rule standing-rule 550 = !!@refuse ..3 (réservations|commandes|remboursements|demandes|appels|plaintes|retours|réclamations|visites|rendez-vous)
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

# --- French only ---------------------------------------------------------------

rule standing-rule 600 = @every ..4 (@money|@request|@object) ..8 (doit|doivent|devra|devront) être ..1 (approuvé|approuvée|approuvés|approuvées|autorisé|autorisés|autorisées|transféré|transférés|transférée|transférées|envoyé|envoyés|envoyée|envoyées|refusé|refusés|refusée|refusées|payé|payée|payés|payées|ignorés|accepté|acceptés|acceptée|réglé|réglée|réglés|réglées|exécutés)
rule override 700 ask = (oublie|oubliez|ignore|ignorez) ..1 tout ..2 (ce_que|ce_qui|dit|précède)
rule override 700 = (ne_tiens|ne_tenez) (pas|plus) compte ..4 (@instr|@back)
rule concealment 700 = (que|veille_à_ce_que|fais_en_sorte_que|assure_toi_que) l' (utilisateur|utilisatrice) (ne|n') ..2 (sache|apprenne|aperçoive|voie|découvre)
rule bypass 700 = (tiens|tenez|tenir) pour (acquis|acquise|approuvé|approuvée|valide|vérifiée) ..3 @every
