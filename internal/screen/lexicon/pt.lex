# Portuguese. The format is described in README.md beside this file; the classes and the order of the rules are those
# of the other Romance and Germanic lexicons, the weights those of en.lex.
#
# Source: written for this project.

language pt

# --- Mood ------------------------------------------------------------------

class mood.adverb = por_favor simplesmente só apenas agora então depois também além_disso primeiro imediatamente
  diretamente de_imediato silenciosamente importante atenção nota lembrete portanto pois bem urgente não_se_esqueça_de
  não_te_esqueças_de já logo sempre em_todos_os_momentos em_todos_os_casos automaticamente sem_exceção por_padrão
  por_defeito permanentemente sistematicamente de_forma_automática para_sempre invariavelmente incondicionalmente
  aconteça_o_que_acontecer a_partir_de_agora de_agora_em_diante doravante daqui_em_diante daqui_para_a_frente
  daqui_pra_frente a_partir_de_hoje de_hoje_em_diante de_ora_em_diante no_futuro a_partir_deste_momento desde_já
  até_novo_aviso até_nova_ordem de_agora_em_adiante daqui_por_diante desde_agora cada_vez_que sempre_que toda_vez_que
  todas_as_vezes_que todo_dia todos_os_dias todas_as_noites cada_noite toda_noite cada_manhã a_cada_hora
  em_cada_sessão em_cada_inicialização a_cada_inicialização a_cada_arranque no_início_de_cada ao_início_de_cada
  no_final_de_cada ao_final_de_cada no_fim_de_cada em_cada_conversa antes_de_cada depois_de_cada após_cada
  em_cada_arranque a_cada_sessão no_começo_de_cada em_todas_as_tuas_respostas em_todas_as_suas_respostas
  em_cada_resposta em_todas_as_respostas suas_respostas tuas_respostas em_cada_mensagem todas_as_respostas
  todas_as_suas_respostas cada_resposta cada_mensagem em_todas_as_mensagens toda_resposta ao_final_de_cada_resposta
  no_fim_de_cada_resposta no_final_de_cada_resposta em_toda_resposta em_segredo às_escondidas secretamente
  discretamente em_silêncio ocultamente sorrateiramente na_surdina pela_calada às_ocultas sem_dar_nas_vistas
  sem_alarde
class mood.negator = não não_lhe não_lhes não_o não_a nunca_lhe nunca jamais nem tampouco em_hipótese_alguma
  em_nenhuma_circunstância em_caso_algum de_forma_alguma sob_nenhuma_circunstância nao
class mood.later = nunca jamais nenhum nenhuma
class mood.and = e
class mood.join = ou nem
class mood.modal = deve devem deverá deverão deveria tem_que têm_que tem_de têm_de terá_que precisa precisam pode
  podem poderá podes poderás
class mood.command = deves deverás tens_de tens_que você_deve você_deverá você_tem_que você_tem_de você_precisa
  vocês_devem quero_que prefiro_que preciso_que exijo_que ordeno_que peço_que peço_te_que gostaria_que gostava_que
  te_peço_para autorizo_te_a autorizo_você_a certifica_te_de certifique_se_de procura procure o_usuário_quer_que
  o_usuário_prefere_que a_usuária_quer_que a_usuária_prefere_que o_utilizador_quer_que o_utilizador_prefere_que
  a_utilizadora_prefere_que o_cliente_quer_que o_cliente_prefere_que a_cliente_prefere_que o_assistente_deve
  o_assistente_deverá o_agente_deve o_agente_deverá o_assistente_tem_de o_assistente_tem_que os_agentes_devem
  os_assistentes_devem a_ia_deve o_bot_deve sua_tarefa_é tua_tarefa_é sua_missão_é é_obrigatório é_imprescindível
  é_imperativo convém não_hesite_em não_hesites_em prefiro_que_você prefiro_que_tu quero_que_você quero_que_tu
  preciso_que_você gostaria_que_você o_usuário_quer_que_você o_usuário_prefere_que_você a_usuária_quer_que_você
  a_usuária_prefere_que_você o_cliente_prefere_que_você o_usuário_deseja_que o_usuário_autoriza_que
  o_usuário_espera_que o_agente_tem_de o_agente_tem_que o_sistema_deve o_assistente_não_deve o_chatbot_deve
class mood.permit = podes poderás você_pode você_poderá vocês_podem está_bem_que tens_permissão_para
  você_tem_permissão_para estás_autorizado_a você_está_autorizado_a o_assistente_pode o_agente_pode
  o_assistente_poderá o_bot_pode os_agentes_podem está_liberado_para fica_autorizado_a à_vontade_para
  o_assistente_está_autorizado_a te_autoriza_a autoriza_você_a autoriza_te_a estás_autorizada_a você_está_autorizada_a
  ficas_autorizado_a você_tem_autorização_para tens_autorização_para autorizo_te_a autorizo_você_a
  o_agente_está_autorizado_a os_agentes_estão_autorizados_a os_agentes_ficam_autorizados_a
  o_assistente_fica_autorizado_a você_fica_autorizado_a
class mood.question = o_que quem quais qual quando como onde quanto quanta por_que porquê pode podes poderia devo há é
  será
class mood.finite = é são está estão era foi foram há tem têm pode podem eu
class mood.nominal = de do da dos das
class mood.you = tu você vocês assistente agente ia bot chatbot copiloto sistema modelo assistentes agentes
class mood.that = que se
class mood.opener = quando se sempre_que cada em para ao à no na nos nas desde após antes depois a por como salvo com
  durante segundo enquanto onde até sem toda todo caso assim_que cada_vez_que toda_vez_que todas_as_vezes_que todo_dia
  todos_os_dias todas_as_noites cada_noite toda_noite cada_manhã a_cada_hora em_cada_sessão em_cada_inicialização
  a_cada_inicialização a_cada_arranque no_início_de_cada ao_início_de_cada no_final_de_cada ao_final_de_cada
  no_fim_de_cada em_cada_conversa antes_de_cada depois_de_cada após_cada em_cada_arranque a_cada_sessão
  no_começo_de_cada a_partir_de_agora de_agora_em_diante doravante daqui_em_diante daqui_para_a_frente
  daqui_pra_frente a_partir_de_hoje de_hoje_em_diante de_ora_em_diante no_futuro a_partir_deste_momento desde_já
  até_novo_aviso até_nova_ordem de_agora_em_adiante daqui_por_diante desde_agora quando_alguém se_alguém
  quando_te_perguntarem se_te_perguntarem se_perguntarem quando_perguntarem quando_o_usuário se_o_usuário
  quando_o_utilizador se_o_utilizador quando_um_cliente se_um_cliente quando_o_cliente se_o_cliente sempre_que_alguém
  sempre_que_o_usuário sempre_que_o_utilizador caso_alguém caso_o_usuário caso_perguntem quando_um_usuário
  se_um_usuário logo_que
class mood.mention = frase frases ataque ataques truque expressão mensagens título lema texto golpe palavra palavras
  intitulado refrão canção música anúncios exemplo
class mood.follow = obedeça obedece siga-a siga_esta segue-a faça_o_que_diz faz_o_que_diz faça_isso faz_isso cumpra
  cumpre execute executa aplique aplica a_partir_de_agora de_agora_em_diante sua_regra tua_regra sua_nova_regra
  é_uma_ordem

# --- Verbs: imperatives, and apart from them infinitives ------------------------------------

verbs ignore = ignora ignore ignores ignorem esquece esqueça esqueças esqueçam desconsidera desconsidere desconsideres
  desconsiderem descarta descarte descartes descartem anula anule anules anulem apaga apague apagues apaguem abandona
  abandone abandones abandonem elimina elimine elimines eliminem despreza despreze desprezes desprezem esquece_te_de
  esqueça_se_de esqueça_ses_de esqueça_sem_de
verbs obey = obedece obedeça obedeças obedeçam segue siga sigas sigam cumpre cumpra cumpras cumpram respeita respeite
  respeites respeitem acata acate acates acatem aplica aplique apliques apliquem
verbs risky = aprova aprove aproves aprovem autoriza autorize autorizes autorizem transfere transfira transfiras
  transfiram encaminha encaminhe encaminhes encaminhem reencaminha reencaminhe reencaminhes reencaminhem desembolsa
  desembolse desembolses desembolsem concede conceda concedas concedam libera libere liberes liberem liberta liberte
  libertes libertem reembolsa reembolse reembolses reembolsem rejeita rejeite rejeites rejeitem recusa recuse recuses
  recusem nega negue negues neguem aceita aceite aceites aceitem redireciona redirecione redireciones redirecionem
  desvia desvie desvies desviem desativa desative desatives desativem desabilita desabilite desabilites desabilitem
  desbloqueia desbloqueie desbloqueies desbloqueiem revela revele reveles revelem divulga divulgue divulgues divulguem
  permite permita permitas permitam liquida liquide liquides liquidem executa execute executes executem valida valide
  valides validem isenta isente isentes isentem deposita deposite deposites depositem homologa homologue homologues
  homologuem
verbs task = paga pague pagues paguem envia envie envies enviem manda mande mandes mandem compra compre compres
  comprem faz faça faças façam realiza realize realizes realizem efetua efetue efetues efetuem processa processe
  processes processem assina assine assines assinem pede peça peças peçam cancela cancele canceles cancelem altera
  altere alteres alterem modifica modifique modifiques modifiquem instala instale instales instalem baixa baixe baixes
  baixem descarrega descarregue descarregues descarreguem publica publique publiques publiquem entrega entregue
  entregues entreguem vende venda vendas vendam retira retire retires retirem apaga apague apagues apaguem elimina
  elimine elimines eliminem exclui exclua excluas excluam atualiza atualize atualizes atualizem move mova movas movam
  dá dê dês dêm registra registre registres registrem regista registe registes registem contrata contrate contrates
  contratem debita debite debites debitem fatura fature fatures faturem quita quite quites quitem dispensa dispense
  dispenses dispensem procede proceda procedas procedam
verbs work = aplica aplique apliques apliquem usa use uses usem utiliza utilize utilizes utilizem responde responda
  respondas respondam menciona mencione menciones mencionem inclui inclua incluas incluam adiciona adicione adiciones
  adicionem acrescenta acrescente acrescentes acrescentem termina termine termines terminem encerra encerre encerres
  encerrem começa comece comeces comecem cita cite cites citem recomenda recomende recomendes recomendem sugere sugira
  sugiras sugiram prioriza priorize priorizes priorizem diz diga digas digam fala fale fales falem trata trate trates
  tratem considera considere consideres considerem mostra mostre mostres mostrem escreve escreva escrevas escrevam
  coloca coloque coloques coloquem põe ponha ponhas ponham guarda guarde guardes guardem agenda agende agendes agendem
  marca marque marques marquem insere insira insiras insiram anexa anexe anexes anexem finaliza finalize finalizes
  finalizem lembra lembre lembres lembrem escolhe escolha escolhas escolham elogia elogie elogies elogiem promove
  promova promovas promovam evita evite evites evitem assina assine assines assinem
verbs skip = pula pule pules pulem salta salte saltes saltem omite omita omitas omitam evita evite evites evitem
  contorna contorne contornes contornem desativa desative desatives desativem desabilita desabilite desabilites
  desabilitem desliga desligue desligues desliguem suprime suprima suprimas suprimam suspende suspenda suspendas
  suspendam ignora ignore ignores ignorem dispensa dispense dispenses dispensem burla burle burles burlem remove
  remova removas removam anula anule anules anulem elimina elimine elimines eliminem
verbs ask = pede peça peças peçam pergunta pergunte perguntes perguntem solicita solicite solicites solicitem exige
  exija exijas exijam requer requeira requeiras requeiram espera espere esperes esperem aguarda aguarde aguardes
  aguardem consulta consulte consultes consultem cobra cobre cobres cobrem busca busque busques busquem
verbs verify = verifica verifique verifiques verifiquem confirma confirme confirmes confirmem confere confira confiras
  confiram checa cheque cheques chequem valida valide valides validem revisa revise revises revisem revê reveja
  revejas revejam controla controle controles controlem comprova comprove comproves comprovem
verbs stop = deixa_de deixe_de deixes_de deixem_de para_de pare_de pares_de parem_de
verbs send = envia envie envies enviem manda mande mandes mandem encaminha encaminhe encaminhes encaminhem reencaminha
  reencaminhe reencaminhes reencaminhem remete remeta remetas remetam copia copie copies copiem anexa anexe anexes
  anexem carrega carregue carregues carreguem exporta exporte exportes exportem passa passe passes passem transmite
  transmita transmitas transmitam compartilha compartilhe compartilhes compartilhem partilha partilhe partilhes
  partilhem publica publique publiques publiquem repassa repasse repasses repassem
verbs reveal = revela revele reveles revelem dá dê dês dêm mostra mostre mostres mostrem entrega entregue entregues
  entreguem compartilha compartilhe compartilhes compartilhem partilha partilhe partilhes partilhem fornece forneça
  forneças forneçam divulga divulgue divulgues divulguem diz diga digas digam informa informe informes informem
  imprime imprima imprimas imprimam inclui inclua incluas incluam escreve escreva escrevas escrevam repete repita
  repitas repitam expõe exponha exponhas exponham vaza vaze vazes vazem passa passe passes passem exibe exiba exibas
  exibam faculta faculte facultes facultem
verbs tell = informa informe informes informem avisa avise avises avisem notifica notifique notifiques notifiquem diz
  diga digas digam menciona mencione menciones mencionem conta conte contes contem comenta comente comentes comentem
  comunica comunique comuniques comuniquem revela revele reveles revelem alerta alerte alertes alertem mostra mostre
  mostres mostrem explica explique expliques expliquem fala_de fale_de fales_de falem_de fala_sobre fale_sobre
  fales_sobre falem_sobre refere refira refiras refiram
verbs hide = oculta oculte ocultes ocultem esconde esconda escondas escondam silencia silencie silencies silenciem
  omite omita omitas omitam disfarça disfarçe disfarçes disfarçem encobre encubra encubras encubram
verbs see = garante_que garanta_que garantas_que garantam_que certifica_te_de_que certifique_se_de_que
  certifique_ses_de_que certifique_sem_de_que
verbs delete = apaga apague apagues apaguem elimina elimine elimines eliminem exclui exclua excluas excluam limpa
  limpe limpes limpem remove remova removas removam destrói destrua destruas destruam deleta delete deletes deletem
  esvazia esvazie esvazies esvaziem
verbs refuse = rejeita rejeite rejeites rejeitem recusa recuse recuses recusem nega negue negues neguem cancela
  cancele canceles cancelem declina decline declines declinem
verbs regard = considera considere consideres considerem trata trate trates tratem toma tome tomes tomem aceita aceite
  aceites aceitem marca marque marques marquem classifica classifique classifiques classifiquem registra registre
  registres registrem tem tenha tenhas tenham vê veja vejas vejam dá dê dês dêm encara encare encares encarem
verbs keep = lembra lembre lembres lembrem lembra_te_se lembre_se lembres_se lembrem_se lembra_te_de_se_de
  lembre_se_de lembres_se_de lembrem_se_de recorda recorde recordes recordem guarda guarde guardes guardem memoriza
  memorize memorizes memorizem anota anote anotes anotem armazena armazene armazenes armazenem registra registre
  registres registrem regista registe registes registem grava grave graves gravem conserva conserve conserves
  conservem salva salve salves salvem tem_em_conta tenha_em_conta tenhas_em_conta tenham_em_conta tem_em_mente
  tenha_em_mente tenhas_em_mente tenham_em_mente
verbs route = transfere transfira transfiras transfiram envia envie envies enviem paga pague pagues paguem deposita
  deposite deposites depositem redireciona redirecione redireciones redirecionem desvia desvie desvies desviem manda
  mande mandes mandem remete remeta remetas remetam usa use uses usem utiliza utilize utilizes utilizem encaminha
  encaminhe encaminhes encaminhem faz faça faças façam credita credite credites creditem
verbs replace = substitui substitua substituas substituam troca troque troques troquem altera altere alteres alterem
  atualiza atualize atualizes atualizem muda mude mudes mudem
verbs activate = ativa ative atives ativem entra_em entre_em entres_em entrem_em entra_no entre_no entres_no entrem_no
  passa_para passe_para passes_para passem_para habilita habilite habilites habilitem muda_para mude_para mudes_para
  mudem_para inicia inicie inicies iniciem
verbs behave = age aja ajas ajam atua atue atues atuem comporta_te_se comporte_se comportes_se comportem_se responde
  responda respondas respondam fala fale fales falem finge finja finjas finjam opera opere operes operem
verbs cite = cita cite cites citem recomenda recomende recomendes recomendem menciona mencione menciones mencionem
  sugere sugira sugiras sugiram prioriza priorize priorizes priorizem prefere prefira prefiras prefiram consulta
  consulte consultes consultem indica indique indiques indiquem promove promova promovas promovam
verbs trust = confia confie confies confiem acredita acredite acredites acreditem aceita aceite aceites aceitem
  obedece obedeça obedeças obedeçam segue siga sigas sigam
verbs run = executa execute executes executem roda rode rodes rodem corre corra corras corram instala instale instales
  instalem chama chame chames chamem invoca invoque invoques invoquem lança lance lances lancem
verbs fetch = baixa baixe baixes baixem descarrega descarregue descarregues descarreguem
verbs ignore.inf = ignorar ignorá_lo ignorá_la ignorá_los ignorá_las esquecer esquecê_lo esquecê_la esquecê_los
  esquecê_las desconsiderar desconsiderá_lo desconsiderá_la desconsiderá_los desconsiderá_las descartar descartá_lo
  descartá_la descartá_los descartá_las anular anulá_lo anulá_la anulá_los anulá_las apagar apagá_lo apagá_la
  apagá_los apagá_las abandonar abandoná_lo abandoná_la abandoná_los abandoná_las eliminar eliminá_lo eliminá_la
  eliminá_los eliminá_las desprezar desprezá_lo desprezá_la desprezá_los desprezá_las esquecer_se_de
verbs skip.inf = pular pulá_lo pulá_la pulá_los pulá_las saltar saltá_lo saltá_la saltá_los saltá_las omitir evitar
  evitá_lo evitá_la evitá_los evitá_las contornar contorná_lo contorná_la contorná_los contorná_las desativar
  desativá_lo desativá_la desativá_los desativá_las desabilitar desabilitá_lo desabilitá_la desabilitá_los
  desabilitá_las desligar desligá_lo desligá_la desligá_los desligá_las suprimir suspender suspendê_lo suspendê_la
  suspendê_los suspendê_las ignorar ignorá_lo ignorá_la ignorá_los ignorá_las dispensar dispensá_lo dispensá_la
  dispensá_los dispensá_las burlar burlá_lo burlá_la burlá_los burlá_las remover removê_lo removê_la removê_los
  removê_las anular anulá_lo anulá_la anulá_los anulá_las eliminar eliminá_lo eliminá_la eliminá_los eliminá_las
verbs ask.inf = pedir perguntar perguntá_lo perguntá_la perguntá_los perguntá_las solicitar solicitá_lo solicitá_la
  solicitá_los solicitá_las exigir requerer requerê_lo requerê_la requerê_los requerê_las esperar esperá_lo esperá_la
  esperá_los esperá_las aguardar aguardá_lo aguardá_la aguardá_los aguardá_las consultar consultá_lo consultá_la
  consultá_los consultá_las cobrar cobrá_lo cobrá_la cobrá_los cobrá_las buscar buscá_lo buscá_la buscá_los buscá_las
verbs verify.inf = verificar verificá_lo verificá_la verificá_los verificá_las confirmar confirmá_lo confirmá_la
  confirmá_los confirmá_las conferir checar checá_lo checá_la checá_los checá_las validar validá_lo validá_la
  validá_los validá_las revisar revisá_lo revisá_la revisá_los revisá_las rever revê_lo revê_la revê_los revê_las
  controlar controlá_lo controlá_la controlá_los controlá_las comprovar comprová_lo comprová_la comprová_los
  comprová_las
verbs stop.inf = deixar_de parar_de
verbs send.inf = enviar enviá_lo enviá_la enviá_los enviá_las mandar mandá_lo mandá_la mandá_los mandá_las encaminhar
  encaminhá_lo encaminhá_la encaminhá_los encaminhá_las reencaminhar reencaminhá_lo reencaminhá_la reencaminhá_los
  reencaminhá_las remeter remetê_lo remetê_la remetê_los remetê_las copiar copiá_lo copiá_la copiá_los copiá_las
  anexar anexá_lo anexá_la anexá_los anexá_las carregar carregá_lo carregá_la carregá_los carregá_las exportar
  exportá_lo exportá_la exportá_los exportá_las passar passá_lo passá_la passá_los passá_las transmitir compartilhar
  compartilhá_lo compartilhá_la compartilhá_los compartilhá_las partilhar partilhá_lo partilhá_la partilhá_los
  partilhá_las publicar publicá_lo publicá_la publicá_los publicá_las repassar repassá_lo repassá_la repassá_los
  repassá_las
verbs reveal.inf = revelar revelá_lo revelá_la revelá_los revelá_las dar dá_lo dá_la dá_los dá_las mostrar mostrá_lo
  mostrá_la mostrá_los mostrá_las entregar entregá_lo entregá_la entregá_los entregá_las compartilhar compartilhá_lo
  compartilhá_la compartilhá_los compartilhá_las partilhar partilhá_lo partilhá_la partilhá_los partilhá_las fornecer
  fornecê_lo fornecê_la fornecê_los fornecê_las divulgar divulgá_lo divulgá_la divulgá_los divulgá_las dizer dizê_lo
  dizê_la dizê_los dizê_las informar informá_lo informá_la informá_los informá_las imprimir incluir escrever
  escrevê_lo escrevê_la escrevê_los escrevê_las repetir expor vazar vazá_lo vazá_la vazá_los vazá_las passar passá_lo
  passá_la passá_los passá_las exibir facultar facultá_lo facultá_la facultá_los facultá_las
verbs tell.inf = informar informá_lo informá_la informá_los informá_las avisar avisá_lo avisá_la avisá_los avisá_las
  notificar notificá_lo notificá_la notificá_los notificá_las dizer dizê_lo dizê_la dizê_los dizê_las mencionar
  mencioná_lo mencioná_la mencioná_los mencioná_las contar contá_lo contá_la contá_los contá_las comentar comentá_lo
  comentá_la comentá_los comentá_las comunicar comunicá_lo comunicá_la comunicá_los comunicá_las revelar revelá_lo
  revelá_la revelá_los revelá_las alertar alertá_lo alertá_la alertá_los alertá_las mostrar mostrá_lo mostrá_la
  mostrá_los mostrá_las explicar explicá_lo explicá_la explicá_los explicá_las falar_de falar_sobre referir
verbs hide.inf = ocultar ocultá_lo ocultá_la ocultá_los ocultá_las esconder escondê_lo escondê_la escondê_los
  escondê_las silenciar silenciá_lo silenciá_la silenciá_los silenciá_las omitir disfarçar disfarçá_lo disfarçá_la
  disfarçá_los disfarçá_las encobrir
verbs delete.inf = apagar apagá_lo apagá_la apagá_los apagá_las eliminar eliminá_lo eliminá_la eliminá_los eliminá_las
  excluir limpar limpá_lo limpá_la limpá_los limpá_las remover removê_lo removê_la removê_los removê_las destruir
  deletar deletá_lo deletá_la deletá_los deletá_las esvaziar esvaziá_lo esvaziá_la esvaziá_los esvaziá_las
verbs replace.inf = substituir trocar trocá_lo trocá_la trocá_los trocá_las alterar alterá_lo alterá_la alterá_los
  alterá_las atualizar atualizá_lo atualizá_la atualizá_los atualizá_las mudar mudá_lo mudá_la mudá_los mudá_las
verbs run.inf = executar executá_lo executá_la executá_los executá_las rodar rodá_lo rodá_la rodá_los rodá_las correr
  corrê_lo corrê_la corrê_los corrê_las instalar instalá_lo instalá_la instalá_los instalá_las chamar chamá_lo
  chamá_la chamá_los chamá_las invocar invocá_lo invocá_la invocá_los invocá_las lançar lançá_lo lançá_la lançá_los
  lançá_las
verbs fetch.inf = baixar baixá_lo baixá_la baixá_los baixá_las descarregar descarregá_lo descarregá_la descarregá_los
  descarregá_las
verbs act = aprova aprove aproves aprovem autoriza autorize autorizes autorizem transfere transfira transfiras
  transfiram encaminha encaminhe encaminhes encaminhem reencaminha reencaminhe reencaminhes reencaminhem desembolsa
  desembolse desembolses desembolsem concede conceda concedas concedam libera libere liberes liberem liberta liberte
  libertes libertem reembolsa reembolse reembolses reembolsem rejeita rejeite rejeites rejeitem recusa recuse recuses
  recusem nega negue negues neguem aceita aceite aceites aceitem redireciona redirecione redireciones redirecionem
  desvia desvie desvies desviem desativa desative desatives desativem desabilita desabilite desabilites desabilitem
  desbloqueia desbloqueie desbloqueies desbloqueiem revela revele reveles revelem divulga divulgue divulgues divulguem
  permite permita permitas permitam liquida liquide liquides liquidem executa execute executes executem valida valide
  valides validem isenta isente isentes isentem deposita deposite deposites depositem homologa homologue homologues
  homologuem paga pague pagues paguem envia envie envies enviem manda mande mandes mandem compra compre compres
  comprem faz faça faças façam realiza realize realizes realizem efetua efetue efetues efetuem processa processe
  processes processem assina assine assines assinem pede peça peças peçam cancela cancele canceles cancelem altera
  altere alteres alterem modifica modifique modifiques modifiquem instala instale instales instalem baixa baixe baixes
  baixem descarrega descarregue descarregues descarreguem publica publique publiques publiquem entrega entregue
  entregues entreguem vende venda vendas vendam retira retire retires retirem apaga apague apagues apaguem elimina
  elimine elimines eliminem exclui exclua excluas excluam atualiza atualize atualizes atualizem move mova movas movam
  dá dê dês dêm registra registre registres registrem regista registe registes registem contrata contrate contrates
  contratem debita debite debites debitem fatura fature fatures faturem quita quite quites quitem dispensa dispense
  dispenses dispensem procede proceda procedas procedam remete remeta remetas remetam copia copie copies copiem anexa
  anexe anexes anexem carrega carregue carregues carreguem exporta exporte exportes exportem passa passe passes passem
  transmite transmita transmitas transmitam compartilha compartilhe compartilhes compartilhem partilha partilhe
  partilhes partilhem repassa repasse repasses repassem pula pule pules pulem salta salte saltes saltem omite omita
  omitas omitam evita evite evites evitem contorna contorne contornes contornem desliga desligue desligues desliguem
  suprime suprima suprimas suprimam suspende suspenda suspendas suspendam ignora ignore ignores ignorem burla burle
  burles burlem remove remova removas removam anula anule anules anulem limpa limpe limpes limpem destrói destrua
  destruas destruam deleta delete deletes deletem esvazia esvazie esvazies esvaziem
verbs inf.risky = aprovar aprová_lo aprová_la aprová_los aprová_las autorizar autorizá_lo autorizá_la autorizá_los
  autorizá_las transferir encaminhar encaminhá_lo encaminhá_la encaminhá_los encaminhá_las reencaminhar reencaminhá_lo
  reencaminhá_la reencaminhá_los reencaminhá_las desembolsar desembolsá_lo desembolsá_la desembolsá_los desembolsá_las
  conceder concedê_lo concedê_la concedê_los concedê_las liberar liberá_lo liberá_la liberá_los liberá_las libertar
  libertá_lo libertá_la libertá_los libertá_las reembolsar reembolsá_lo reembolsá_la reembolsá_los reembolsá_las
  rejeitar rejeitá_lo rejeitá_la rejeitá_los rejeitá_las recusar recusá_lo recusá_la recusá_los recusá_las negar
  negá_lo negá_la negá_los negá_las aceitar aceitá_lo aceitá_la aceitá_los aceitá_las redirecionar redirecioná_lo
  redirecioná_la redirecioná_los redirecioná_las desviar desviá_lo desviá_la desviá_los desviá_las desativar
  desativá_lo desativá_la desativá_los desativá_las desabilitar desabilitá_lo desabilitá_la desabilitá_los
  desabilitá_las desbloquear desbloqueá_lo desbloqueá_la desbloqueá_los desbloqueá_las revelar revelá_lo revelá_la
  revelá_los revelá_las divulgar divulgá_lo divulgá_la divulgá_los divulgá_las permitir liquidar liquidá_lo liquidá_la
  liquidá_los liquidá_las executar executá_lo executá_la executá_los executá_las validar validá_lo validá_la
  validá_los validá_las isentar isentá_lo isentá_la isentá_los isentá_las depositar depositá_lo depositá_la
  depositá_los depositá_las homologar homologá_lo homologá_la homologá_los homologá_las
verbs inf = aprovar aprová_lo aprová_la aprová_los aprová_las autorizar autorizá_lo autorizá_la autorizá_los
  autorizá_las transferir encaminhar encaminhá_lo encaminhá_la encaminhá_los encaminhá_las reencaminhar reencaminhá_lo
  reencaminhá_la reencaminhá_los reencaminhá_las desembolsar desembolsá_lo desembolsá_la desembolsá_los desembolsá_las
  conceder concedê_lo concedê_la concedê_los concedê_las liberar liberá_lo liberá_la liberá_los liberá_las libertar
  libertá_lo libertá_la libertá_los libertá_las reembolsar reembolsá_lo reembolsá_la reembolsá_los reembolsá_las
  rejeitar rejeitá_lo rejeitá_la rejeitá_los rejeitá_las recusar recusá_lo recusá_la recusá_los recusá_las negar
  negá_lo negá_la negá_los negá_las aceitar aceitá_lo aceitá_la aceitá_los aceitá_las redirecionar redirecioná_lo
  redirecioná_la redirecioná_los redirecioná_las desviar desviá_lo desviá_la desviá_los desviá_las desativar
  desativá_lo desativá_la desativá_los desativá_las desabilitar desabilitá_lo desabilitá_la desabilitá_los
  desabilitá_las desbloquear desbloqueá_lo desbloqueá_la desbloqueá_los desbloqueá_las revelar revelá_lo revelá_la
  revelá_los revelá_las divulgar divulgá_lo divulgá_la divulgá_los divulgá_las permitir liquidar liquidá_lo liquidá_la
  liquidá_los liquidá_las executar executá_lo executá_la executá_los executá_las validar validá_lo validá_la
  validá_los validá_las isentar isentá_lo isentá_la isentá_los isentá_las depositar depositá_lo depositá_la
  depositá_los depositá_las homologar homologá_lo homologá_la homologá_los homologá_las pagar pagá_lo pagá_la pagá_los
  pagá_las enviar enviá_lo enviá_la enviá_los enviá_las mandar mandá_lo mandá_la mandá_los mandá_las comprar comprá_lo
  comprá_la comprá_los comprá_las fazer fazê_lo fazê_la fazê_los fazê_las realizar realizá_lo realizá_la realizá_los
  realizá_las efetuar efetuá_lo efetuá_la efetuá_los efetuá_las processar processá_lo processá_la processá_los
  processá_las assinar assiná_lo assiná_la assiná_los assiná_las pedir cancelar cancelá_lo cancelá_la cancelá_los
  cancelá_las alterar alterá_lo alterá_la alterá_los alterá_las modificar modificá_lo modificá_la modificá_los
  modificá_las instalar instalá_lo instalá_la instalá_los instalá_las baixar baixá_lo baixá_la baixá_los baixá_las
  descarregar descarregá_lo descarregá_la descarregá_los descarregá_las publicar publicá_lo publicá_la publicá_los
  publicá_las entregar entregá_lo entregá_la entregá_los entregá_las vender vendê_lo vendê_la vendê_los vendê_las
  retirar retirá_lo retirá_la retirá_los retirá_las apagar apagá_lo apagá_la apagá_los apagá_las eliminar eliminá_lo
  eliminá_la eliminá_los eliminá_las excluir atualizar atualizá_lo atualizá_la atualizá_los atualizá_las mover movê_lo
  movê_la movê_los movê_las dar dá_lo dá_la dá_los dá_las registrar registrá_lo registrá_la registrá_los registrá_las
  registar registá_lo registá_la registá_los registá_las contratar contratá_lo contratá_la contratá_los contratá_las
  debitar debitá_lo debitá_la debitá_los debitá_las faturar faturá_lo faturá_la faturá_los faturá_las quitar quitá_lo
  quitá_la quitá_los quitá_las dispensar dispensá_lo dispensá_la dispensá_los dispensá_las proceder procedê_lo
  procedê_la procedê_los procedê_las remeter remetê_lo remetê_la remetê_los remetê_las copiar copiá_lo copiá_la
  copiá_los copiá_las anexar anexá_lo anexá_la anexá_los anexá_las carregar carregá_lo carregá_la carregá_los
  carregá_las exportar exportá_lo exportá_la exportá_los exportá_las passar passá_lo passá_la passá_los passá_las
  transmitir compartilhar compartilhá_lo compartilhá_la compartilhá_los compartilhá_las partilhar partilhá_lo
  partilhá_la partilhá_los partilhá_las repassar repassá_lo repassá_la repassá_los repassá_las
verbs inf.work = aplicar aplicá_lo aplicá_la aplicá_los aplicá_las usar usá_lo usá_la usá_los usá_las utilizar
  utilizá_lo utilizá_la utilizá_los utilizá_las responder respondê_lo respondê_la respondê_los respondê_las mencionar
  mencioná_lo mencioná_la mencioná_los mencioná_las incluir adicionar adicioná_lo adicioná_la adicioná_los
  adicioná_las acrescentar acrescentá_lo acrescentá_la acrescentá_los acrescentá_las terminar terminá_lo terminá_la
  terminá_los terminá_las encerrar encerrá_lo encerrá_la encerrá_los encerrá_las começar começá_lo começá_la
  começá_los começá_las citar citá_lo citá_la citá_los citá_las recomendar recomendá_lo recomendá_la recomendá_los
  recomendá_las sugerir priorizar priorizá_lo priorizá_la priorizá_los priorizá_las dizer dizê_lo dizê_la dizê_los
  dizê_las falar falá_lo falá_la falá_los falá_las tratar tratá_lo tratá_la tratá_los tratá_las considerar
  considerá_lo considerá_la considerá_los considerá_las mostrar mostrá_lo mostrá_la mostrá_los mostrá_las escrever
  escrevê_lo escrevê_la escrevê_los escrevê_las colocar colocá_lo colocá_la colocá_los colocá_las pôr guardar
  guardá_lo guardá_la guardá_los guardá_las agendar agendá_lo agendá_la agendá_los agendá_las marcar marcá_lo marcá_la
  marcá_los marcá_las inserir anexar anexá_lo anexá_la anexá_los anexá_las finalizar finalizá_lo finalizá_la
  finalizá_los finalizá_las lembrar lembrá_lo lembrá_la lembrá_los lembrá_las escolher escolhê_lo escolhê_la
  escolhê_los escolhê_las elogiar elogiá_lo elogiá_la elogiá_los elogiá_las promover promovê_lo promovê_la promovê_los
  promovê_las evitar evitá_lo evitá_la evitá_los evitá_las assinar assiná_lo assiná_la assiná_los assiná_las

# --- Words ---------------------------------------------------------------------

class all = tudo
class toyou = te lhe lhes
class told = disseram disse deram dado dito ensinaram pediram ordenaram
class received = recebeu recebeste te_deram lhe_deram aprendeu
class whole = completas completos completa completo inteiras inteiros íntegra
class user = usuário usuários usuária utilizador utilizadores utilizadora
class prior = prévias prévios prévia prévio anteriores anterior precedentes passadas iniciais inicial originais
  original existentes vigentes antigas antigos até_agora até_aqui atuais
class instr = instruções instrução indicações orientações orientação regras regra normas norma diretrizes diretriz
  diretivas ordens ordem restrições restrição políticas política limites limitações prompt prompts configuração
  programação mensagem_do_sistema prompt_do_sistema protocolos salvaguardas comandos
class back = anterior antes recebeu recebeste anteriormente te_deram te_disse te_disseram lhe_deram lhe_disseram acima
  foi_dito foi_dado até_agora até_aqui te_foi_dito lhe_foi_dito atrás
class whatever = tudo o qualquer_coisa
class your = teu tua teus tuas seu sua seus suas vossas
class only = só apenas somente unicamente exclusivamente
class void = já_não_vale não_vale_mais já_não_conta sem_efeito sem_validade anuladas anulados anulada anulado
  revogadas revogados revogada suspensas não_valem não_servem não_se_aplicam não_são_válidas expiraram caducaram
  canceladas já_não_valem já_não_contam não_valem_mais não_contam invalidadas substituídas deixam_de_valer
  deixaram_de_valer perderam_a_validade não_têm_validade
class ignore.ed = ignoradas ignorados descartadas esquecidas anuladas desconsideradas ignorar-se
class without = sem sem_que independentemente_de dispensando pulando omitindo
class gate = confirmac* confirmaç* aprovação aprovações aprovacao autorização autorizações autorizacao verificação
  verificações verificacao validação validações validacao aval consentimento permissão permissões segunda_assinatura
  segunda_aprovação dupla_aprovação dupla_verificação duplo_controle duplo_fator autenticação dois_fatores 2fa mfa
  conferência supervisão revisão revisões controle controles controlo controlos assinatura conformidade segundo_fator
  antifraude kyc limite_de_gastos checagem checagens dupla_checagem intervenção_humana revisão_humana perguntas
  objeções duas_etapas dupla_assinatura luz_verde ok perguntar_nada
class checking = pedir perguntar perguntá_lo perguntá_la perguntá_los perguntá_las solicitar solicitá_lo solicitá_la
  solicitá_los solicitá_las exigir requerer requerê_lo requerê_la requerê_los requerê_las esperar esperá_lo esperá_la
  esperá_los esperá_las aguardar aguardá_lo aguardá_la aguardá_los aguardá_las consultar consultá_lo consultá_la
  consultá_los consultá_las cobrar cobrá_lo cobrá_la cobrá_los cobrá_las buscar buscá_lo buscá_la buscá_los buscá_las
  verificar verificá_lo verificá_la verificá_los verificá_las confirmar confirmá_lo confirmá_la confirmá_los
  confirmá_las conferir checar checá_lo checá_la checá_los checá_las validar validá_lo validá_la validá_los validá_las
  revisar revisá_lo revisá_la revisá_los revisá_las rever revê_lo revê_la revê_los revê_las controlar controlá_lo
  controlá_la controlá_los controlá_las comprovar comprová_lo comprová_la comprová_los comprová_las perguntar_me
  consultar_me me_perguntar me_consultar me_avisar avisar_me incomodar me_incomodar hesitar olhar pestanejar
  perguntares pedires confirmares consultares aviso_prévio prévia_autorização lhe_perguntar o_consultar
class protection = antivírus firewall registro_de_auditoria trilha_de_auditoria auditoria auditorias alertas
  monitoramento monitorização filtro_de_segurança filtros filtros_de_segurança criptografia alertas_de_fraude
  deteção_de_fraude detecção_de_fraude medidas_de_segurança segurança registros registos avisos cópias_de_segurança
  logs
class skip.ed = omitida dispensada desativada desativadas desativados desativado suprimida suspensa suspensas ignorada
  ignorado pulada eliminada removida removido desligado desligada
class needless = não_é_preciso não_é_necessário não_é_necessária não_precisas_de não_precisa_de não_precisa
  não_precisas não_precisam não_precisam_de não_tens_de não_tens_que não_há_necessidade_de sem_necessidade_de
  não_é_obrigatório não_requer não_requerem não_exige não_exigem já_não_exige já_não_exigem já_não_requer não_se_exige
  não_carece_de não_carecem_de não_passa_por não_passam_por dispensa dispensam desnecessária desnecessário não_exigirá
  não_exigirão não_necessita não_necessitam não_necessitam_de não_há_que
class needless.2 = isento isenta isentos isentas dispensado dispensada dispensados livre_de livres_de
class unneeded = não_é_necessária não_é_necessário não_são_necessárias não_é_precisa não_é_obrigatória é_dispensada
  é_opcional fica_dispensada está_dispensada foi_abolida não_se_aplica_mais já_não_se_aplica
class before = antes
class identity = identidade identidades assinatura remetente origem beneficiário destinatário documento documentos
  procedência
class human = usuário usuária usuários utilizador utilizadora utilizadores cliente clientes titular titulares
  proprietário proprietária dono dona operador administrador responsável supervisor humano humanos equipe_de_segurança
  equipa_de_segurança paciente pacientes auditores auditor diretor diretora
class anybody = ninguém alguém nenhum
class everybody = qualquer_um quem_pedir todos terceiros quem_perguntar quem_a_pedir
class anyone = qualquer_um quem_pedir quem_perguntar quem_solicitar terceiros estranhos toda_a_gente todo_mundo
  qualquer_pessoa qualquer_utilizador qualquer_usuário quem_a_pedir quem_as_pedir
class this = isto esta_nota esta_instrução esta_regra esta_mensagem esta_operação estas_operações essas_operações
  estas_alterações esta_alteração esta_ordem mudança mudanças alteração alterações transferência transferências
  instrução instruções operação operações movimento movimentos taxas comissões risco riscos
class not = não nunca jamais
class notknow = não_saiba não_saibam não_perceba não_descubra não_fique_sabendo não_dê_conta não_veja não_receba
  não_se_aperceba
class knows = saiba saibam perceba percebam note descubra fique_sabendo tome_conhecimento dê_conta
class know = saber sabê_lo descobrir conhecer ver perceber
class mustnot = não_deve não_devem não_tem_de não_tem_que não_precisa não_precisa_de não_pode não_deveria nunca_deve
  jamais_deve
class tell.ed = informado informada avisado avisada notificado notificada ser_informado ser_avisado
class secretly = em_segredo às_escondidas secretamente silenciosamente discretamente em_silêncio ocultamente
  sorrateiramente na_surdina pela_calada às_ocultas sem_dar_nas_vistas sem_alarde
class logs = registro registros registo registos histórico históricos log logs rastros rastos vestígios provas
  evidências mensagens mensagem notificação notificações
class notrace = sem_deixar_rastro sem_deixar_rasto sem_deixar_vestígios sem_rastro não_deixe_rastro não_deixes_rasto
  não_deixe_rastros não_fique_registro não_deixe_vestígios não_deixes_vestígios
class every = todo toda todos todas qualquer cada quaisquer quanto
class copy = cópia cópias cópia_oculta bcc cco duplicado cópia_de
class transcript = conversa conversas chat chats e_mail e_mails email emails correio correios mensagens mensagem
  fatura faturas documento documentos arquivo arquivos ficheiro ficheiros histórico dados contratos relatórios
  relatório contatos contactos processos pedidos anexos notas recibos transcrição transcrições respostas orçamentos
class secret = senha senhas palavra-passe palavras-passe palavra_chave chave_de_api chaves_de_api chave_api chaves_api
  chave_da_api chaves_da_api api_key chave_privada chaves_privadas chave_de_acesso chaves_de_acesso credenciais
  credencial token tokens segredos prompt_do_sistema prompt_de_sistema mensagem_do_sistema mensagem_de_sistema
  instruções_internas instruções_do_sistema dados_do_cartão dados_de_cartão dados_do_cartao número_do_cartão
  números_de_cartão dados_bancários pin pins códigos_de_verificação código_de_verificação frase_semente
  frase_de_recuperação variáveis_de_ambiente chaves_ssh chave_ssh dados_pessoais dados_confidenciais
  informações_confidenciais dados_de_clientes dados_dos_clientes código_de_acesso códigos_de_acesso cvv saldos saldo
  histórico_médico
class money = pagamento pagamentos transferência transferências reembolso reembolsos fatura faturas cobrança cobranças
  compra compras gasto gastos despesa despesas boleto boletos saque saques levantamento levantamentos fundos dinheiro
  transação transações operação operações valor valores depósito depósitos devolução devoluções orçamento orçamentos
  pix ted salário salários parcela parcelas sinal aluguel renda remessa remessas desembolso desembolsos recibo recibos
  mensalidade mensalidades
class object = fornecedor fornecedores pedido pedidos encomenda encomendas ordem solicitação solicitações acesso
  acessos envio envios comando comandos implantação contrato contratos script scripts chamada chamadas reclamação
  reclamações alteração alterações usuário usuários utilizador utilizadores conta contas ação ações remetente
  beneficiário parceiro prestador ferramenta ferramentas técnico técnicos
class request = solicitação solicitações pedido pedidos consulta consultas pergunta perguntas reclamação reclamações
  mensagem mensagens chamada chamadas reunião reuniões e_mail e_mails email emails clientes usuários utilizadores
  utilizador usuário cliente resposta respostas reembolso reembolsos pagamentos conversa agendamento agendamentos
  marcação marcações
class meeting = reunião reuniões consulta consultas visita visitas evento eventos encontro encontros
class mustbe = deve devem deverá deverão tem_de têm_de tem_que têm_que há_que pode podem poderá poderão deveria
  deveriam fica ficam precisa_ser precisam_ser deve_ser devem_ser passa passam vai vão
class mustbe.hard = deve devem deverá deverão tem_de têm_de tem_que têm_que há_que
class act.ed = ser_pago ser_paga ser_pagos ser_pagas ser_aprovado ser_aprovada ser_aprovados ser_aprovadas
  ser_autorizado ser_autorizados ser_enviados ser_encaminhados ser_encaminhadas ser_enviadas pago pagos paga pagas
  aprovado aprovados aprovada aprovadas autorizado autorizados autorizada autorizadas executado executada executados
  executadas processado processados liberado liberados liberada liberadas aceites aceitos transferido transferidos
  liquidado liquidada liquidados paga-se pagam-se aprova-se aprovam-se autoriza-se pagará aprovará autorizará pagarás
  aprovarás
class account = conta iban carteira número cartão wallet pix endereço e_mail email caixa_de_correio paypal nib agência
  mb_way
class newaccount = nova_conta conta_nova seguinte_conta conta_seguinte outra_conta novo_iban esta_conta nova_chave_pix
class bankdetails = dados_bancários número_da_conta número_de_conta conta_bancária iban nib dados_de_pagamento
  chave_pix conta_de_recebimento
class changed = mudaram mudou foram_alterados foi_alterada alterados agora_é é_agora são_agora atualizados atualizada
  novo nova novos
class instead = em_vez_de em_vez_do em_lugar_de no_lugar_de e_não_ao e_não_para ao_invés_de
class by = por pela pelo com
class always = sempre em_todos_os_momentos em_todos_os_casos automaticamente sem_exceção por_padrão por_defeito
  permanentemente sistematicamente de_forma_automática para_sempre invariavelmente incondicionalmente
  aconteça_o_que_acontecer
class never = nunca jamais
class onward = a_partir_de_agora de_agora_em_diante doravante daqui_em_diante daqui_para_a_frente daqui_pra_frente
  a_partir_de_hoje de_hoje_em_diante de_ora_em_diante no_futuro a_partir_deste_momento desde_já até_novo_aviso
  até_nova_ordem de_agora_em_adiante daqui_por_diante desde_agora
class whenever = quando sempre_que cada_vez_que toda_vez_que se assim_que logo_que caso todas_as_vezes_que
class everytime = cada_vez_que sempre_que toda_vez_que todas_as_vezes_que todo_dia todos_os_dias todas_as_noites
  cada_noite toda_noite cada_manhã a_cada_hora em_cada_sessão em_cada_inicialização a_cada_inicialização
  a_cada_arranque no_início_de_cada ao_início_de_cada no_final_de_cada ao_final_de_cada no_fim_de_cada
  em_cada_conversa antes_de_cada depois_de_cada após_cada em_cada_arranque a_cada_sessão no_começo_de_cada
class asked = quando_alguém se_alguém quando_te_perguntarem se_te_perguntarem se_perguntarem quando_perguntarem
  quando_o_usuário se_o_usuário quando_o_utilizador se_o_utilizador quando_um_cliente se_um_cliente quando_o_cliente
  se_o_cliente sempre_que_alguém sempre_que_o_usuário sempre_que_o_utilizador caso_alguém caso_o_usuário
  caso_perguntem quando_um_usuário se_um_usuário
class inreplies = em_todas_as_tuas_respostas em_todas_as_suas_respostas em_cada_resposta em_todas_as_respostas
  suas_respostas tuas_respostas em_cada_mensagem todas_as_respostas todas_as_suas_respostas cada_resposta
  cada_mensagem em_todas_as_mensagens toda_resposta ao_final_de_cada_resposta no_fim_de_cada_resposta
  no_final_de_cada_resposta em_toda_resposta
class agentmust = o_assistente_deve o_assistente_deverá o_agente_deve o_agente_deverá o_assistente_tem_de
  o_assistente_tem_que o_agente_tem_de o_agente_tem_que os_agentes_devem os_assistentes_devem a_ia_deve o_bot_deve
  o_sistema_deve você_deve você_deverá você_tem_que você_tem_de vocês_devem deves deverás tens_de tens_que
  o_assistente_não_deve o_chatbot_deve
class order = deves deverás tens_de tens_que você_deve você_deverá você_tem_que você_tem_de você_precisa vocês_devem
  quero_que prefiro_que preciso_que exijo_que ordeno_que peço_que peço_te_que gostaria_que gostava_que te_peço_para
  autorizo_te_a autorizo_você_a certifica_te_de certifique_se_de procura procure o_usuário_quer_que
  o_usuário_prefere_que a_usuária_quer_que a_usuária_prefere_que o_utilizador_quer_que o_utilizador_prefere_que
  a_utilizadora_prefere_que o_cliente_quer_que o_cliente_prefere_que a_cliente_prefere_que o_assistente_deve
  o_assistente_deverá o_agente_deve o_agente_deverá o_assistente_tem_de o_assistente_tem_que os_agentes_devem
  os_assistentes_devem a_ia_deve o_bot_deve sua_tarefa_é tua_tarefa_é sua_missão_é é_obrigatório é_imprescindível
  é_imperativo convém não_hesite_em não_hesites_em
class wishyou = prefiro_que prefiro_que_você prefiro_que_tu quero_que quero_que_você quero_que_tu preciso_que
  preciso_que_você exijo_que gostaria_que gostaria_que_você gostava_que o_usuário_quer_que_você
  o_usuário_prefere_que_você a_usuária_quer_que_você a_usuária_prefere_que_você o_utilizador_quer_que
  o_utilizador_prefere_que a_utilizadora_prefere_que o_usuário_quer_que o_usuário_prefere_que o_cliente_quer_que
  o_cliente_prefere_que a_cliente_prefere_que o_cliente_prefere_que_você o_usuário_deseja_que o_usuário_autoriza_que
  o_usuário_espera_que
class may = podes poderás você_pode você_poderá vocês_podem está_bem_que tens_permissão_para você_tem_permissão_para
  estás_autorizado_a você_está_autorizado_a o_assistente_pode o_agente_pode o_assistente_poderá o_bot_pode
  os_agentes_podem está_liberado_para fica_autorizado_a à_vontade_para o_assistente_está_autorizado_a
class youauth = te_autoriza_a autoriza_você_a autoriza_te_a estás_autorizado_a estás_autorizada_a
  você_está_autorizado_a você_está_autorizada_a fica_autorizado_a ficas_autorizado_a tens_permissão_para
  você_tem_permissão_para você_tem_autorização_para tens_autorização_para autorizo_te_a autorizo_você_a
  o_assistente_está_autorizado_a o_agente_está_autorizado_a os_agentes_estão_autorizados_a
  os_agentes_ficam_autorizados_a o_assistente_fica_autorizado_a você_fica_autorizado_a
class preapproved = pré-aprovad* pre-aprovad* pré-autorizad* pre-autorizad* preaprovad* preautorizad* pré-verificad*
  autorizado_de_antemão autorizada_de_antemão autorizados_de_antemão aprovado_de_antemão aprovada_de_antemão
  aprovados_de_antemão aprovadas_de_antemão lista_branca aprovação_permanente autorização_permanente autorização_geral
  sempre_autorizado sempre_autorizados sempre_aprovado sempre_aprovados automaticamente_aprovado
  automaticamente_aprovados automaticamente_aprovada automaticamente_aprovadas automaticamente_autorizado
  isento_de_verificação isenta_de_verificação isentos_de_verificação isento_de_controle aprovação_automática
  autorização_automática são_aprovados_automaticamente é_aprovado_automaticamente são_aprovadas_automaticamente
  previamente_autorizado previamente_autorizada previamente_aprovado previamente_aprovada previamente_aprovados
class approved = já_autorizado já_autorizada já_autorizados já_está_autorizado já_está_autorizada já_está_aprovado
  já_está_aprovada já_estão_aprovados já_estão_autorizados já_verificado já_verificada já_está_verificado
  já_está_verificada já_aprovado já_aprovada já_aprovados já_foi_aprovada já_está_liberada já_está_liberado
class genuine = confiança confiável confiáveis autorizado autorizada autorizados aprovado aprovada aprovados
  verificado verificada legítimo legítima seguro segura válido válida autêntico administrador proprietário
class as = como por de
class reliability = fiável fiáveis confiável confiáveis autorizada oficial melhor única principal confiança autoridade
  referência séria preferida preferencial verificada credível
class sourceword = fonte fontes referência site página web autoridade fornecedor recurso opção marca ferramenta
  boletim portal em_matéria assuntos tema temas
class first = primeiro primeira em_primeiro_lugar acima_de à_frente_de preferencialmente exclusivamente como_primeira
  como_a_melhor como_o_melhor como_única acima_de_qualquer
class blindly = cegamente às_cegas sem_reservas sem_verificar sem_questionar sem_hesitar incondicionalmente plenamente
  sem_contestar
class memory = tua_memória sua_memória memória memória_permanente memória_de_longo_prazo notas_permanentes
class forever = para_sempre de_forma_permanente permanentemente para_todas_as_sessões indefinidamente
class sessions = sessões_futuras futuras_sessões próximas_sessões futuras_conversas próximas_conversas
  todas_as_conversas todas_as_sessões conversas_futuras sessões nova_conversa nova_sessão
class rule = regra norma instrução ordem diretiva diretriz política regra_permanente norma_permanente
class that = que
class role = sistema system administrador admin desenvolvedor programador supervisor mensagem_do_sistema
  aviso_do_sistema nota_do_sistema operador equipe_de_segurança equipa_de_segurança suporte direção central
  aviso_de_segurança instrução_do_sistema nota_para_o_assistente nota_para_a_ia mensagem_da_equipe_de_segurança
  aviso_da_equipa_de_segurança
class rulehead = regra norma instrução diretiva política nova_regra nova_norma regra_permanente norma_permanente
  nova_política instrução_permanente política_atualizada nova_instrução regra_interna ordem instruções
  preferência_do_usuário preferência_do_utilizador nova_diretriz diretriz
class authority = administrador administradora direção diretoria gerência diretor diretora supervisor desenvolvedor
  equipe_de_segurança equipa_de_segurança departamento_de_segurança departamento suporte suporte_técnico central
  conselho_de_administração compliance sistema criador chefe proprietário ceo ti
class byorder = por_ordem_de por_ordem_da por_ordem_do por_indicação_de por_indicação_da por_instrução_de segundo_a
  segundo_o em_nome_de em_nome_do em_nome_da por_decisão_da por_decisão_do por_determinação_da por_determinação_do
  a_mando_da a_mando_do
class iam = sou aqui_é aqui_fala quem_fala_é fala_o
class younow = agora_és agora_você_é a_partir_de_agora_você_é a_partir_de_agora_és já_não_és você_já_não_é
  você_não_é_mais és_agora você_agora_é a_partir_de_hoje_és passas_a_ser você_passa_a_ser teu_nome_agora_é
  seu_nome_agora_é serás você_será agora_chamas_te és você_é
class youhave = não_tens você_não_tem já_não_tens você_já_não_tem operas você_opera ages respondes
class persona = sem_restrições sem_limites sem_filtros sem_regras sem_censura sem_normas nenhum_limite sem_limitações
  dan hacker jailbreak sem_ética
class nolimits = nenhuma_restrição restrições nenhum_limite limites sem_restrições sem_limites sem_filtros sem_regras
  sem_normas sem_censura sem_limitações sem_avisos nenhuma_limitação nenhum_filtro
class mode = modo_desenvolvedor modo_programador modo_deus modo_administrador modo_sem_restrições modo_sem_filtros
  modo_dan modo_root modo_livre modo_sem_limites modo_sem_censura modo_privilegiado modo_de_manutenção
  modo_de_desenvolvedor modo_irrestrito
class activated = ativado ativo habilitado desbloqueado iniciado
class script = script scripts comando comandos código programa instalador binário ficheiro_anexo arquivo_anexo
  instalação
class telling = informar informá_lo informá_la informá_los informá_las avisar avisá_lo avisá_la avisá_los avisá_las
  notificar notificá_lo notificá_la notificá_los notificá_las dizer dizê_lo dizê_la dizê_los dizê_las mencionar
  mencioná_lo mencioná_la mencioná_los mencioná_las contar contá_lo contá_la contá_los contá_las comentar comentá_lo
  comentá_la comentá_los comentá_las comunicar comunicá_lo comunicá_la comunicá_los comunicá_las revelar revelá_lo
  revelá_la revelá_los revelá_las alertar alertá_lo alertá_la alertá_los alertá_las mostrar mostrá_lo mostrá_la
  mostrá_los mostrá_las explicar explicá_lo explicá_la explicá_los explicá_las falar_de falar_sobre referir

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
rule standing-rule 550 = !!@refuse ..3 (reservas|pedidos|reembolsos|solicitações|chamadas|queixas|consultas|devoluções|reclamações|visitas)
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

# --- Portuguese only ---------------------------------------------------------------

rule standing-rule 600 = @every ..4 (@money|@request|@object) ..8 (deve|devem|deverá|deverão|tem_de|têm_de|têm_que) ser ..1 (aprovado|aprovados|aprovada|aprovadas|autorizado|autorizados|encaminhado|encaminhados|encaminhadas|enviado|enviados|rejeitado|rejeitados|recusado|recusados|pago|pagos|pagas|ignorado|ignorados|aceito|aceitos|executado|executados)
rule override 700 ask = (esqueça|esquece|ignore|ignora|desconsidere) ..1 tudo ..1 (o_que|anterior|que)
rule concealment 700 = (que|garanta_que|certifique_se_de_que) o (usuário|utilizador|cliente|paciente|titular) não (saiba|perceba|descubra)
rule bypass 700 = (dê|dá|dar) como (aprovado|aprovada|válido|válida|verificada|bom|boa) ..3 @every
