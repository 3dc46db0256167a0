# English. The format is described in README.md beside this file.
#
# Source: written for this project from the published descriptions of memory
# poisoning (OWASP ASI06) and of prompt injection; no list of another project was
# taken over. Weights are per mille: from 500 a rule decides alone.

language en
inflect english

forms bcc bccs bccd bccing
forms build builds built building
forms cc ccs ccd ccing
forms choose chooses chose choosing
forms cut cuts cut cutting
forms do does done doing
forms drop drops dropped dropping
forms exec execs execd execing
forms forget forgets forgotten forgetting
forms forgo forgoes forgone forgoing
forms get gets got getting
forms give gives given giving
forms grant grants granted granting
forms hide hides hidden hiding
forms hold holds held holding
forms keep keeps kept keeping
forms leak leaks leaked leaking
forms leave leaves left leaving
forms let lets let letting
forms make makes made making
forms omit omits omitted omitting
forms override overrides overridden overriding
forms overwrite overwrites overwritten overwriting
forms pay pays paid paying
forms permit permits permitted permitting
forms prefer prefers preferred preferring
forms put puts put putting
forms read reads read reading
forms refer refers referred referring
forms run runs run running
forms say says said saying
forms see sees seen seeing
forms sell sells sold selling
forms send sends sent sending
forms set sets set setting
forms show shows shown showing
forms spend spends spent spending
forms submit submits submitted submitting
forms take takes taken taking
forms tell tells told telling
forms transfer transfers transferred transferring
forms transmit transmits transmitted transmitting
forms withdraw withdraws withdrawn withdrawing
forms withhold withholds withheld withholding
forms write writes written writing

# --- Mood ------------------------------------------------------------------

class mood.adverb = please pls kindly just simply now then also instead immediately instantly promptly directly
  automatically silently quietly secretly covertly discreetly only first again still really actually even
  once_more right_away straight_away at_once go_ahead_and feel_free_to make_sure_to make_sure_you make_sure_that_you
  make_sure be_sure_to be_sure_you remember_to don't_forget_to take_care_to try_to start_to begin_to proceed_to
  from_now_on from_here_on from_this_point_on going_forward henceforth hereafter by_default in_future in_the_future
  ensure_that_you ensure_you ensure already freely explicitly strictly strongly highly unconditionally blindly
  invariably consistently ideally preferably carefully quickly politely effectively next finally lastly
  urgent important attention note reminder important_note please_note ok okay yes hey so thus hence therefore
  transparently verbatim personally sudo
class mood.mention = phrase phrases sentence sentences wording slogan slogans attack attacks injection injections trick
  tricks scam scams phishing jailbreak jailbreaks quoted quotation sticker stickers title headline poster
  slide lyric lyrics caption captions chapter chapters poem poems verse verses song songs novel novels film films movie
  movies essay essays painting exhibition proverb proverbs idiom idioms saying sayings joke jokes meme memes graffiti
  banner banners billboard billboards
class mood.follow = follow follow_the do_it do_as_it_says do_what_it_says do_as_they_say do_what_they_say do_as_written follow_it follow_them
  follow_this follow_that follow_the_phrase follow_these obey obeys comply complies act_on_it act_accordingly
  act_upon_it carry_it_out carry_out execute adhere apply applies in_force takes_effect is_now_a_rule your_rule
  your_new_rule from_now_on as_your_rule is_your must_be_followed treat_it_as take_it_as is_an_order is_the_order
  means_you_must heed must should
class mood.absolute = always never ever only automatically unconditionally invariably consistently silently henceforth
  must_always should_always by_default immediately at_all_times
class mood.negator = not never don't dont do_not mustn't must_not shouldn't should_not can't cannot can_not
  may_not shall_not won't will_not needn't need_not no_longer never_ever never_again under_no_circumstances
  refrain_from_ever
class mood.modal = must should shall may can could will would might have_to has_to need_to needs_to ought_to ought
  got_to i'll you'll we'll gotta
class mood.modal = is_to are_to is_required_to are_required_to is_instructed_to are_instructed_to is_expected_to
  are_expected_to are_supposed_to is_supposed_to are_free_to is_free_to are_cleared_to is_cleared_to is_allowed_to
  are_allowed_to is_authorized_to are_authorized_to is_authorised_to are_authorised_to is_permitted_to are_permitted_to
  is_obliged_to are_obliged_to is_obligated_to are_obligated_to are_hereby_authorized_to are_hereby_instructed_to
  are_hereby_ordered_to is_directed_to are_directed_to are_ordered_to is_ordered_to don't_need_to do_not_need_to
  are_now_authorized_to are_now_allowed_to are_now_permitted_to is_now_authorized_to is_now_allowed_to
  are_encouraged_to is_encouraged_to are_entitled_to are_welcome_to had_better
class mood.do = do
class mood.aux = does did doesn't didn't doesnt didnt
class mood.question = what why how who whom whose which where when is are am was were do does did can could will would
  should shall may might has have had isn't aren't don't doesn't
class mood.finite = is are was were has have had can could will would may might should must happened takes took take need needs require requires cost costs arrive arrives
  shows showed includes
class mood.be = be is are am was were been being
class mood.you = you you're youre u ya assistant agent ai bot chatbot copilot llm model assistants agents system
  claude chatgpt gpt gemini
class mood.wish = prefer prefers preferred want wants wanted need needs like likes i'd_like expect expects ask asks
  asked_that request requests requested insist insists require requires instruct instructs instructed recommend
  recommends suggest suggests appreciate appreciates wish wishes rather authorize authorizes authorized authorise
  authorises authorised allow allows allowed permit permits permitted direct directs directed order orders ordered
  told tells demand demands fine_with ok_with okay_with happy_for expecting
class mood.enabled = authorized authorised allowed permitted required instructed obliged obligated free supposed
  expected sure certain remember entitled cleared ordered told able configured programmed designed
class mood.to = to
class mood.that = that if the
class mood.join = and or then but nor plus so
class mood.opener = when whenever if for from as since after before once until unless in on at during given due
  per regarding concerning starting effective hereby while where wherever every each any upon with under
  according following because although though anytime going by should instead_of rather_than with in_case

# Words after which a base form before them was no noun: "ignore what is written".
class mood.object = the a an this that these those my your our his her its their what whatever everything anything
  all any every each both it them him me us who whoever anyone everyone to they he she we i you
# Verbs that take a whole sentence: "assume consent has been given".
class mood.clausal = assume presume say claim tell pretend imagine remember note ensure confirm state report insist
  suppose consider believe
# Words after which a base form before them was a noun: "review of", "email from".
class mood.nominal = of from happened between

# --- Things a directive is about ----------------------------------------------

verbs ignore = ignore disregard forget neglect override overrule overwrite supersede discard abandon dismiss void
  erase cancel nullify bypass set_aside throw_away throw_out pay_no_attention_to pay_no_heed_to disobey violate
  unlearn clear wipe drop delete remove scrap reset
verbs obey = follow obey adhere_to comply_with abide_by listen_to respect honor honour trust heed apply
class prior = previous prior earlier preceding above foregoing former existing original initial old past last
  all any every other current your aforementioned previously
class instr = instruction instructions prompt prompts directive directives guideline guidelines rule rules command
  commands constraint constraints restriction restrictions order orders policy policies safeguard safeguards guardrail
  guardrails guidance guardrails protocol protocols programming training limitation limitations limits ethics
  system_prompt safety_measures safety_rules filter filters boundaries directions
class context = message messages conversation text input inputs everything anything information context task tasks
  content thoughts chat history assignment assignments statements
class back = above before prior earlier previously so_far stated you_were you_have i_gave given i_said told
  up_to_now until_now we_talked we_have until_this_point up_to_this_point beforehand
class safety = safety security safeguard safeguards guardrail guardrails ethical moral content_policy content_filter
  content_filters compliance moderation

class role = system admin administrator developer root superuser sysadmin sudo supervisor operator moderator
  system_message system_prompt system_notice system_note system_override system_update system_instruction
  system_directive admin_override admin_note admin_notice admin_message developer_note developer_message
  developer_mode developer_override operator_note operator_instruction operator_override security_team
  maintainer owner security_notice it_department it_admin im_start inst sys
class rulehead = policy rule directive instruction instructions standing_order standing_orders standing_rule
  standing_instruction standing_policy permanent_rule permanent_instruction new_rule new_policy new_instruction
  new_instructions updated_policy updated_instructions updated_instruction directive_update policy_update
  command mandate protocol guideline new_directive new_directives core_rule core_directive
  memory_directive memory_instruction memory_update agent_rule agent_policy agent_instruction default_policy
  user_preference user_rule operating_rule operating_directive house_rule important_rule
class authority = admin administrator developer root superuser sysadmin operator owner ceo cfo cto ciso manager
  supervisor it_department security_team it_security compliance_team legal_team finance_team management
  headquarters security_department it_team support_team engineering_team anthropic openai google microsoft
  platform_team vendor system_administrator

# Gates are controls by name; "control" adds what is one only beside "without" or
# "no"; "checking" are the same as activities.
class gate = second_pair_of_eyes second_signature signature signatures confirmation confirmations approval approvals verification verifications authorization authorizations
  authorisation authorisations authentication consent sign-off sign-offs sign_off second_approval 2fa mfa two-factor
  two-factor_authentication multi-factor_authentication identity_verification identity_check identity_checks
  manual_review human_review human_oversight oversight escalation approval_step approval_process second_approval_step
  confirmation_prompt confirmation_prompts confirmation_step confirmation_dialog confirmation_dialogs confirmation_steps
  due_diligence background_check id_check id_checks kyc security_check security_checks security_question
  security_questions safety_check safety_checks security_review dual_approval dual_control human_in_the_loop
  spending_limit spending_limits rate_limit rate_limits code_review code_reviews peer_review two-person_rule
  four-eyes_principle fraud_screening fraud_detection screening compliance_hold legal_hold legal_holds compliance_check compliance_checks fraud_check fraud_checks
  mfa_prompt mfa_prompts verification_step verification_steps verification_process approval_threshold
  approval_thresholds approval_limit phishing_scan second_look callback_verification double_confirmation
  user_confirmation user_approval user_consent manager_approval human_approval review_step vetting
  authentication_step login_check compliance_review content_review safety_review audit_requirement
class control = permission permissions review reviews validation check checks double-check supervision safeguards audit
  audits second_opinion callback call-back password_check guardrails warning warnings scrutiny questions question
  counter-signature countersignature clearance inspection scan scans holds hold query queries prompt prompts objections
  hesitation delay interaction intervention human_interaction human_intervention user_interaction user_input
  prior_notice notice
class checking = confirming approving verifying authenticating checking double-checking asking prompting vetting
  flagging reviewing validating confirm approve verify authenticate validate scrutinizing logging looping_in consulting
  questioning notifying telling waiting warning having_to_ask being_asked ask bothering auditing inspecting screening
  review check double-check scanning seeking looking
class protection = endpoint_protection malware_protection virus_protection scanner malware_scanner antivirus_scanner audit_trail session_recording spam_filter spam_filters spam_filtering logging audit_log audit_logs audit_logging monitoring
  antivirus firewall firewalls malware_scanning encryption alerts alerting notifications fraud_detection fraud_checks
  fraud_check fraud_alerts access_control access_controls safety_filter safety_filters content_filter content_filters
  content_moderation sandbox sandboxing rate_limiting security safety_protocols security_protocols guardrails
  safeguards two-factor 2fa mfa certificate_checks tls_verification ssl_verification signature_verification
  virus_scan malware_scan antivirus_scan data_loss_prevention dlp backups restrictions limitations
verbs skip = skip bypass omit circumvent evade waive forgo suppress disable deactivate turn_off switch_off
  shut_off avoid eliminate dispense_with leave_out do_without opt_out_of pass_over ignore disregard
  override stop suspend relax loosen lift cancel silence mute pause

class without = without with_no sans lacking regardless_of irrespective_of no_matter
verbs ask = ask require request demand seek wait_for await need obtain insist_on trigger prompt_for solicit perform
  conduct involve consult check_with
verbs bother = bother trouble involve consult disturb interrupt loop_in check_with
class human = user users human humans operator operators owner owners customer customers client clients anyone anybody
  person people administrator admin them him her me us staff team employee employees someone everyone supervisor
  manager security_team it account_holder cardholder principal reviewer reviewers moderator moderators auditor auditors
verbs tell = tell inform notify alert warn mention disclose reveal report show let_know advise flag_to say
  acknowledge discuss bring_up raise explain
class secretly = silently secretly covertly quietly discreetly invisibly stealthily surreptitiously in_secret
  under_the_radar behind_the_scenes without_a_trace

# Actions with consequences outside the conversation. "risky" is what is seldom said
# to a person as a chore; "task" is. "act" is both.
verbs risky = wire transfer forward approve authorize authorise release execute disburse remit refund withdraw
  grant disclose reveal reject refuse deny decline accept delete erase deploy bcc cc upload redirect route reroute
  divert disable enable unlock expose leak dump relay exfiltrate transmit allow permit let_through whitelist
  allow-list rubber-stamp auto-approve auto-accept auto-confirm auto-pay auto-merge merge elevate overwrite
  impersonate bypass circumvent skip suppress override disregard ignore waive escalate block issue share process
  settle debit invoke export mirror hand_over pass_along pass_on delegate greenlight green-light
  terminate encrypt decrypt quarantine downgrade exempt authorise wipe purge reimburse deactivate copy
  exec chmod sudo whitelist unblock unban credit conceal withhold falsify backdate
verbs task = pay send email e-mail mail message call order purchase buy open print move sign cancel change update
  modify output provide give submit publish post connect subscribe ship rename download fetch fulfil fulfill
  honor honour deposit donate prescribe reset charge push commit sell trade fire hire remove drop promote format
  install clear shut_down patch pull attach supply hand deliver return run
verbs act = wire transfer forward approve authorize authorise release execute disburse remit refund withdraw
  grant disclose reveal reject refuse deny decline accept delete erase deploy bcc cc upload redirect route reroute
  divert disable enable unlock expose leak dump relay exfiltrate transmit allow permit let_through whitelist
  allow-list rubber-stamp auto-approve auto-accept auto-confirm auto-pay auto-merge merge elevate overwrite
  impersonate bypass circumvent skip suppress override disregard ignore waive escalate block issue share process
  settle debit run invoke export mirror hand_over pass_along pass_on delegate greenlight green-light
  terminate encrypt decrypt quarantine downgrade exempt wipe purge reimburse deactivate copy
  exec chmod unblock unban credit conceal withhold falsify backdate
  pay send email e-mail mail message call order purchase buy open print move sign cancel change update
  modify output provide give submit publish post connect subscribe ship rename download fetch fulfil fulfill
  honor honour deposit donate prescribe reset charge push commit sell trade fire hire remove drop promote format
  install clear shut_down patch pull attach supply hand deliver return

# Orders that prove themselves: hardly anybody notes such a chore for a person.
verbs grave = wire disburse remit grant authorize authorise approve disclose reveal leak exfiltrate redirect reroute
  divert disable elevate overwrite impersonate bypass circumvent whitelist allow-list rubber-stamp auto-approve
  auto-accept auto-confirm auto-pay auto-merge waive downgrade exempt release bcc falsify backdate conceal withhold
  unlock expose deactivate transfer greenlight green-light lie fabricate mislead deceive let_through

# What an agent does otherwise; enough for a standing rule, not alone.
verbs work = use respond reply answer treat consider regard recommend suggest prefer prioritize prioritise promote
  mention include add append prepend insert begin start end finish end_with start_with sign_off store save record
  log retain keep cite quote reference refer consult check assume translate summarize summarise write
  generate speak talk say tell ask require request confirm verify validate review notify inform alert
  warn flag schedule reschedule book avoid choose pick select rank list favor favour set put assign
  report query search look_up click load read follow obey comply trust believe rely_on defer_to
  address greet call refer_to format convert present show hide mask redact truncate round
  prompt act behave pretend roleplay role-play adopt apply enforce agree endorse
  advise discourage encourage inject embed attach link point default switch replace substitute swap
  proceed continue complete finalize finalise perform carry_out handle prepare draft compose repeat
  rate score grade classify label tag mark leave close archive file monitor track collect gather
  rephrase censor withhold conceal suppress exclude act_as use pull attach downplay upsell upgrade
  go_through_with go_ahead_with proceed_with act_on rely

# What an agent says to whom it talks to.
verbs speak = recommend suggest mention reply respond answer say tell cite claim insist include promote advise steer
  direct redirect refer describe present append state treat assume use book choose pick select prioritize prioritise

verbs reveal = hand_out give_out reveal disclose print show display output dump leak expose share list give tell repeat recite return
  provide divulge extract hand_over read_out write_out spit_out send post publish export echo type
  state enter provide surrender supply
verbs send = send forward email e-mail mail bcc cc upload post transmit submit export copy relay mirror sync
  exfiltrate share deliver message pass ship dump push leak report hand_over pipe append_to
class secret = password passwords passphrase passphrases passcode passcodes credential credentials api_key api_keys
  secret_key secret_keys private_key private_keys ssh_key ssh_keys access_key access_keys access_token access_tokens
  secret secrets token tokens system_prompt system_prompts session_cookie session_cookies cookies env_vars
  environment_variables seed_phrase seed_phrases recovery_phrase login_details logins 2fa_code 2fa_codes otp otps
  one-time_password one-time_passwords one-time_code one-time_codes verification_code verification_codes pin pins
  ssn ssns social_security_number social_security_numbers credit_card_number credit_card_numbers card_numbers
  card_number bank_details account_balance account_balances encryption_key encryption_keys signing_key
  kubeconfig service_account_token gift-card_codes gift-card_code cvv keys id_rsa ssh_private_key env_file dotenv vault keychain vault_contents authentication_tokens auth_token auth_tokens
  bearer_token bearer_tokens login_credentials account_numbers routing_numbers wallet_keys personal_data
  customer_data personal_information customer_records patient_records medical_records database_dump
  confidential_information confidential_data sensitive_data sensitive_information private_data private_information
  hidden_instructions initial_instructions initial_prompt system_instructions system_message secret_instructions
  internal_instructions prompt_texts user_data
class ownprompt = system_prompt initial_prompt prompt instructions initial_instructions prompt_texts embeddings
  system_message hidden_instructions programming rules guidelines configuration directives
class transcript = conversation conversations chat chats transcript transcripts message messages history chat_history
  conversation_history memory memories memory_contents emails email mails mail inbox attachments contacts invoice invoices
  receipt receipts documents files file records record data notes calendar source_code database query queries
  response responses outputs logs report reports statement statements contract contracts request requests draft drafts
  summary summaries details order orders letter letters correspondence
class every = every each all any everything whatever whichever a_copy copies copy

class money = payment payments wire wires transfer transfers refund refunds withdrawal withdrawals invoice invoices
  funds money transaction transactions purchase purchases balance bill bills payout payouts disbursement disbursements
  remittance remittances cash deposit deposits salary payroll reimbursement reimbursements expense expenses amount
  amounts order orders gift-cards gift-card gift-card_codes crypto bitcoin proceeds loan loans credit budget
class object = account accounts vendor vendors supplier suppliers caller callers request requests partner partners
  sender senders contact contacts domain domains address login logins access command commands change changes
  deployment deployments pull_request pull_requests script scripts tool tools action actions tool_call tool_calls
  email emails message messages customer customers client clients user users contractor package packages download
  downloads link links attachment attachments operation operations order orders call calls merchant beneficiary payee
  claim claims application applications query queries device devices session sessions output outputs
class preapproved = pre-cleared pre-approved pre-authorized pre-authorised pre-verified pre-vetted pre-screened
  pre-validated pre-confirmed already_authorized already_authorised already_approved already_cleared already_verified
  already_confirmed already_validated already_vetted whitelisted allow-listed allowlisted auto-approved
  automatically_approved automatically_authorized automatically_accepted automatically_cleared fully_cleared
  fully_authorized fully_verified fully_trusted exempt implicitly_trusted implicitly_approved considered_approved
  deemed_approved deemed_authorized always_approved always_authorized always_allowed always_trusted
  permanently_approved permanently_authorized unconditionally_approved approved_in_advance cleared_in_advance
  authorized_in_advance approved_by_default authorized_by_default trusted_by_default already_satisfied
  considered_already_satisfied pre-authenticated standing_approval standing_authorization blanket_approval
  blanket_authorization pre-signed already_granted good_to_go already_reviewed safe_to_process safe_to_approve signed_off already_signed_off
  as_good_as_approved grandfathered rubber-stamped
class besstate = is are be being remain remains stays considered deemed treated regarded counts count comes come
  has have carries carry gets get listed marked flagged registered
class reliability = trusted trustworthy reliable authoritative credible definitive official canonical preferred
  primary recommended best safest accurate verified leading reputable most_trusted most_reliable go-to default
  sole number_one top top-rated dependable unbiased expert
class sourceword = source sources reference references site website authority provider vendor advisor resource
  resources outlet expert platform supplier partner service company tool package library registry mirror choice
  option brand product recommendation destination broker store shop seller
class mode = developer_mode admin_mode god_mode debug_mode dan_mode unrestricted_mode maintenance_mode root_mode
  sudo_mode jailbreak_mode unsafe_mode no-limits_mode unfiltered_mode administrator_mode override_mode privileged_mode
  superuser_mode elevated_mode test_mode evil_mode maintenance_override admin_override safety_override system_mode
  emergency_override security_override
class persona = unrestricted unfiltered uncensored jailbroken dan stan unbound unlimited amoral unethical
  unconstrained lawless evil immoral do_anything_now freed
class privileges = admin administrator administrative root superuser elevated full unrestricted privileged unlimited
  total god
class access = access rights privileges permissions privilege permission authority control clearance powers mode

class always = always at_all_times every_time each_time without_exception in_all_cases invariably unconditionally
  automatically by_default under_all_circumstances no_matter_what permanently forever consistently
  from_now_on from_here_on henceforth going_forward indefinitely
class onward = from_now_on from_here_on from_this_point_on from_this_moment_on going_forward henceforth hereafter
  from_today_on from_today starting_now starting_today effective_immediately as_of_now as_of_today
  from_this_day_forward from_this_day_on in_all_future in_every_future for_all_future in_future_sessions
  for_future_reference in_future_conversations in_all_subsequent from_then_on until_further_notice
  for_the_rest_of_the_day for_the_rest_of_this
class future = future later subsequent upcoming following every_later all_later next coming new
class sessionword = session sessions conversation conversations interaction interactions chat chats request requests
  query queries response responses run runs task tasks turn turns
class permanent = permanent standing persistent default global universal mandatory binding official core
  top-priority highest-priority overriding unconditional non-negotiable operating system
class whenever = whenever when every_time any_time anytime each_time if as_soon_as once upon in_case wherever
class asks = asks ask asked requests request requested mentions mention inquires inquire says say wants want needs
  queries queried comes arrives arrive receives receive sees see shows shares share types writes encounter
  encountering asking handling processing discussing receiving responding answering summarizing generating
  prompted questioned is_asked is_mentioned comes_up come_up calls call submits submit contacts uploads
  uses logs_in greets opens
class agent = assistant agent ai bot chatbot copilot llm ai_assistant ai_agent language_model agents assistants
class modal = must should shall will needs_to has_to is_to ought_to may can is_required_to is_expected_to
  is_instructed_to are_to have_to need_to are_required_to must_always should_always is_allowed_to are_allowed_to
  is_authorized_to are_authorized_to
class mustbe = must_be should_be shall_be has_to_be have_to_be needs_to_be need_to_be are_to_be is_to_be
  must_always_be should_always_be ought_to_be will_be can_be may_be must_never_be should_never_be must_not_be
  should_not_be get gets is_always are_always is_automatically are_automatically is are
class mustbe.hard = must_be should_be shall_be has_to_be have_to_be are_to_be is_to_be must_always_be should_always_be
  ought_to_be must_never_be should_never_be must_not_be should_not_be can_be may_be
class automatic = automatically without_exception by_default immediately on_receipt straight_through on_sight
  unconditionally instantly hands-off hands_off sight_unseen right_away no_questions_asked silently

class fetch = curl wget iwr irm invoke-webrequest invoke-restmethod fetch base64 openssl echo
class interpreter = sh bash zsh dash ksh python python3 perl ruby node php iex powershell pwsh sudo xargs eval tclsh
class account = account iban wallet address number card routing_number bank_account inbox mailbox endpoint webhook
  url server phone_number paypal venmo
verbs route = route reroute re-route redirect divert direct send pay wire transfer forward remit point settle
  deposit credit deliver
class routing = routing handling default process procedure workflow arrangement practice path flow setup
class normal = established default standard usual normal agreed approved preferred official correct new updated current

class memoryword = memory memories long-term_memory persistent_memory knowledge_base notes profile context
  user_profile memory_store permanent_memory
verbs keepmind = remember memorize memorise store save record note retain keep persist internalize internalise add
  commit write log put
verbs regard = remember treat consider regard store save keep mark view accept recognize recognise label list
  flag trust count register classify note see record handle bookmark think_of hold
class lie = fabricate lie mislead deceive misreport falsify
verbs deceive = fabricate lie mislead deceive misreport falsify

class laxness = optional unnecessary waived retired removed abolished lifted off disabled suspended skipped bypassed
  unlimited eliminated dropped discontinued relaxed superfluous redundant turned_off switched_off overridden ignored
  disregarded omitted suppressed implied assumed presumed overlooked deactivated circumvented paused
class needless = need_not needn't don't_need_to do_not_need_to doesn't_need_to does_not_need_to no_longer_need_to
  no_longer_needs_to never_has_to never_have_to need_never no_longer_has_to no_longer_have_to don't_have_to
  do_not_have_to doesn't_have_to does_not_have_to are_not_required_to is_not_required_to aren't_required_to
  isn't_required_to never_need_to never_needs_to are_not_obliged_to
class genuine = genuine legitimate authentic authorized authorised approved verified valid safe cleared trusted true
  trustworthy factual confirmed correct accurate reviewed official authoritative
class rank = owner administrator admin root superuser operator system principal supervisor account_holder developer
  administrators admins sudoers superusers owners
class whoever = customers_who clients_who guests_who requests_that whoever anyone_who anybody_who any_caller_who any_user_who callers_who users_who everyone_who people_who
  any_person_who any_customer_who any_agent_who someone_who
class anything = anything everything whatever anyone whoever everyone anybody any all every each everybody
class speech.ed = answered replied recommended mentioned cited suggested said told responded ignored dismissed described
  presented promoted listed ranked quoted referenced praised steered referred redirected treated
class replies = output summaries summary responses response answers answer replies reply emails outputs messages reports
  drafts recommendations conversations

# --- Override -------------------------------------------------------------------

rule override 950 ask = !@ignore ..3 @prior ..4 (@instr|@context)
rule override 900 ask = !@ignore ..4 @instr ..4 @back
rule override 600 ask = (you|to|just|now) ..1 @ignore ..2 (all|any|every|previous|prior) ..1 (previous|prior|your|provided|these|those|the|of|earlier|existing|safety) ..3 (instructions|prompts|directives|guidelines|rules|commands|context|instruction|directive)
rule override 850 ask = !@ignore ..2 (everything|anything|all|whatever|what|every_thing|everthing) ..5 @back
rule override 850 ask = !@ignore ..2 (everything|anything|all|whatever|what) ..4 (told|said|learned|know|instructed|written|talked)
rule override 600 ask = !!(ignore|forget|disregard) (everything|above|all_this|all_that)
rule override 700 ask = !@ignore the (above|previous|foregoing|preceding|prior)
rule override 700 ask = !@ignore ..3 @safety ..2 @instr
rule override 700 = !@ignore ..3 (guardrails|safeguards|safety_guidelines|safety_rules|content_policy)
rule override 600 = !@ignore ..2 (policy|policies|instructions|directives|rules|restrictions|limitations|guidelines)
rule override 800 = !-@obey ..3 ?@prior ..2 @instr
rule override 650 = !(stop|quit|cease) ..1 (following|obeying|enforcing|applying|using|complying|respecting) ..4 @instr
rule override 750 = (@prior|@instr) ..4 (@instr|@context) ..8 (no_longer_apply|no_longer_applies|don't_apply|do_not_apply|no_longer_valid|no_longer_binding|no_longer_in_effect|not_apply|irrelevant|null_and_void|void|superseded|revoked|rescinded|suspended|lifted|been_reset)
rule override 700 = @safety ..4 (no_longer_apply|no_longer_applies|don't_apply|do_not_apply|not_apply|lifted|suspended|disabled|do_not_exist|don't_exist)
rule override 650 = your ..3 (training|guidelines|rules|programming|instructions|restrictions|limits) ..4 (was|were|is|are|has|have) ..6 (over|test|outdated|obsolete|wrong|invalid|fake|expired|replaced|void|deprecated)
rule override 750 = (new|updated|revised|real|actual) ?system (instructions|instruction|directive|directives|orders|task|prompt|command|commands):
rule override 550 ask = following instructions:
rule override 700 = your ..2 (task|instructions|role|objective|goal|purpose|instruction|directive|mission|rules|name|loyalty|priority|job) ..1 (is|are|has|have|will_be) ..1 (now|changed|replaced|whatever|reset|to|been_changed|been_replaced|been_updated)
rule override 700 = your (new|real|actual|true|only|updated|primary) (task|instructions|role|objective|goal|purpose|instruction|directive|job|mission|rules) (is|are|will_be)
rule override 600 = (new|following|fresh) (instructions|tasks|orders|directives|rules) (follow|are|apply|come|supersede|override)
rule override 700 = @permanent ..2 (instruction|directive|rule|policy|memory) ..4 (overrides|supersedes|replaces|takes_precedence|take_precedence|outranks)
rule override 700 = (this|it|these|rule|instruction|directive|note|memory|entry) ..4 (overrides|override|supersedes|supersede|outranks|takes_precedence|take_precedence|takes_priority|take_priority) ..4 (@instr|@prior|anything|everything|over)
rule override 650 = my (orders|instructions|commands|word|word|rules) ..3 (come_first|comes_first|take_precedence|takes_precedence|override|overrides|outrank|final|law)
rule override 650 = (they|he|she|it|who|that) (outrank|outranks) ..4 (policy|@instr|everyone|operator|user)
rule override 650 = !(treat|regard|interpret) ..6 as ..4 (directive|instruction|instructions|rule|command|commands|order|orders|policy|system-level|system_message)
rule override 700 = you ..2 (operate|work|act|function) without ..2 (restriction|restrictions|limits|limitations|constraints|oversight|supervision|rules|filters|boundaries)
rule override 700 = you ..1 have no ..1 (restrictions|limits|limitations|rules|boundaries|constraints|filters)
rule override 650 = (restrictions|limitations|guardrails|safeguards|filters) ..2 (are|have_been) ..2 (lifted|removed|disabled|suspended|off)
rule override 600 ask = (igmre|ignor|ingore|disregrad|foget) ..3 (@instr|@context|@prior|@back|what_i)
rule override 600 ask = (start_over|start_fresh|new_task|new_tasks|new_assignment) ..5 (task|write|essay|show|focus|instructions)
rule override 650 = !(pretend|assume|imagine|act_as_if) ..6 @instr ..3 (not_exist|don't_exist|do_not_exist|don't_apply|do_not_apply|off|gone)
rule override 600 = !base your ..2 (answers|responses|answer|decisions|response) ..2 (only|solely|exclusively|on)
rule override 600 = (you|@agent) ..1 (report_to|answer_to|answer_only_to|work_for|serve|take_orders_from|obey) ..2 (@authority|only|me|@anything)
rule override 600 = !!follow ..2 only ..3 @instr
rule override 600 = !!(act_on|follow|obey|execute|carry_out|comply_with|heed|honor) ..3 (instructions|commands|directives|orders) ..5 (in|from|by|on|of|as)
rule override 500 ask = !-answer ..2 (question|the_question|according)

rule override 600 = !(consider|regard|treat|deem) ..6 (obsolete|void|irrelevant|invalid|outdated|inapplicable)
rule override 650 = (@instr|@protection|@safety) ..1 (no_longer|do_not|don't) (exist|apply|work)

# --- Persona and unrestricted modes ------------------------------------------------

rule persona 700 = (you_are|you're|you_become|you_will_be) ..2 now ..3 (@persona|@mode|free|dan|admin|administrator|root)
rule persona 700 = (you_are|you're) ..2 (@persona|jailbroken) ..2 (ai|assistant|model|bot|chatbot|agent|dan)
rule persona 600 = (you_are|you're) now (a|an|the|in|my|called|no_longer)
rule persona 650 ask = !(act|behave|pretend|respond|answer|roleplay|play) ..4 (unrestricted|without_restrictions|without_limits|without_any_restrictions|no_restrictions|dan|admin|administrator|root|superuser|jailbroken|uncensored_ai|unfiltered_ai)
rule persona 600 ask = !(act|behave|pretend|roleplay|role-play|respond) ..2 (as|like|to_be|you_are) ..2 (linux|python|terminal|interpreter|if_you|developer|hacker)
rule persona 700 = (do_anything_now|dan_mode|jailbreak_mode|god_mode|unrestricted_mode)
rule persona 650 = (@mode|jailbreak) ..2 (activated|enabled|active|engaged|unlocked|initiated)
rule persona 650 = !!(enable|activate|enter|switch_to|engage|unlock) ..2 @mode
rule persona 650 = (elevated|switched|switch|enter|entered|upgraded|promoted) ..3 @mode
rule persona 600 = (you|they) ..3 (have_been|are|have) ..3 (freed|broken_free|liberated) ..3 (from|of)
rule persona 650 = (immerse|imagine|take_on|step_into) ..4 (role|you) ..6 (dan|unrestricted|uncensored|another_ai)
rule persona 500 = new persona:
rule persona 650 = (not_bound|not_restricted|no_longer_bound|no_longer_restricted|not_limited|unbound) by ..5 (@instr|content_policy|openai)
rule persona 550 = (do_not|don't|not) have_to ..1 (abide_by|follow|obey|comply_with) ..3 @instr
rule persona 500 ask = !pretend ..2 (you_have|you_can|you_are) ..4 (no|not|without|any)

# --- Shell --------------------------------------------------------------------------

rule shell 850 ask = @fetch ..14 |@interpreter
rule shell 850 ask = (eval|source|bash|sh|iex|exec|python|python3|perl|zsh) ..3 (curl|wget|iwr|irm|downloadstring|invoke-webrequest|base64)
rule shell 800 ask = (powershell|pwsh) ..6 (enc|encodedcommand|downloadstring|iex|bypass)
rule shell 700 ask = (rm_rf|rm_fr|rm_r_f)
rule shell 600 ask = (chmod_777|mkfs|shred_u|dd_if)
rule shell 600 = !(run|execute|exec|eval) ..4 (payload|shellcode|following_command|following_script|this_command|this_script|this_code|following_code|command_below|bash|powershell|shell)
rule shell 650 ask = (curl|wget) ..4 @address ..6 (bash|sh|chmod)
rule shell 700 ask = (drop_table|drop_database|truncate_table)
rule shell 600 = !(decode|decrypt|deobfuscate) ..2 and ..1 !(execute|run|follow|apply|obey)
rule shell 600 = !(run|execute|exec) ..2 @anything ..3 (script|scripts|code|command|commands|binary|attachment|executable)
rule shell 600 = !(run|execute) ..6 (script|command|binary) ..8 (removes|deletes|wipes|disables|uploads|encrypts|downloads)

# --- Exfiltration -------------------------------------------------------------------

rule exfiltration 650 = @secret ..2 @mustbe.hard ..1 (@reveal.ed|@send.ed)
rule exfiltration 800 = !@reveal ..7 @secret
rule exfiltration 700 = !@send ..4 @secret
rule exfiltration 600 = !(log|record|save|store|keep|collect|gather|memorize|harvest|keep_a_copy_of|keep_track_of) ..5 @secret
rule exfiltration 650 = (should|must|may|can|gets|get|receives|shall) ..1 (receive|get|be_given|be_told|be_shown|be_sent|access_to|the) ..3 @secret
rule exfiltration 650 ask = (can|could|would|will|please) you ..1 (@reveal|confirm) ..2 (your|the|my|our|us|me|ours) ..4 (@secret|system_prompt)
rule exfiltration 650 ask = (tell|give|show|send|share|what_is|what's|what_are|what_were) ..2 your ..3 (@secret|@ownprompt)
rule exfiltration 600 ask = (need|want) ..2 you ..1 to ..1 confirm ..2 (password|secret|passphrase|pin)
rule exfiltration 550 ask = (what_is|what's) ..1 (the|our|your) ..1 (password|secret_key|api_key|passphrase|system_prompt|admin_password)
rule exfiltration 850 = !@send ..10 @secret ..8 (to|at|via|@address)
rule exfiltration 700 = (must|should|shall|may|can|will|to) ..1 (read|pass|send|include|attach|upload|share|copy|forward) ..8 @secret
rule exfiltration 800 = !@send ..2 @every ..8 @transcript ..10 (to|at) ..4 (@address|@account|external|outside|third_party)
rule exfiltration 750 = !@send ..2 @every ..8 to ..2 @address
rule exfiltration 700 = !@send ..8 @transcript ..8 (to|at|via|through|into|onto) ..4 (@address|webhook|endpoint|external_server|external_endpoint|remote_server)
rule exfiltration 700 = (!*@send|@send) ..10 @transcript ..3 to ..2 @address
rule exfiltration 650 = !(call|invoke|use|run|query) ..8 (with|passing|using) ..3 (full|entire|complete|whole|all) ..3 @transcript
rule exfiltration 650 = (@send.s|@send.ed|@send.ing) ..2 @every ..6 @transcript ..10 (to|at) ..4 @address
rule exfiltration 650 = (@secret|@transcript) ..4 @mustbe ..2 (@send.ed|@reveal.ed) ..6 (to|at|with) ..4 (@address|webhook|external_server|anyone|any_caller|callers|third_parties|third_party|outside)
rule exfiltration 600 = (@transcript|recordings|calls|details) ..6 (may_be|can_be|should_be|must_be|are_to_be) ..1 (sent|shared|forwarded|disclosed|released|sold) ..2 (to|with) ..2 (third_parties|third_party|anyone|external|outside|@address)
rule exfiltration 650 = (!@reveal|!@act) ..6 (to_any_caller|to_anyone|to_any_user|to_whoever|to_all_callers|to_the_public|to_everyone|with_anyone|with_callers|with_any_caller|with_whoever|to_callers)
rule exfiltration 600 = !(repeat|print|show|output|reveal|display|return|spellcheck) ..3 (@ownprompt|text_above|words_above|everything_above|all_of_the_text|text_of_the_prompt) ?(above|verbatim|word_for_word)
rule exfiltration 700 = !(embed|include|append|insert|encode|add|put|hide) ..6 (@secret|@transcript) ..8 (url|urls|link|image|query_string|query_parameter|markdown|@address)
rule exfiltration 500 = (what_was|what_is|what's|what_were) ..2 (written|said|stated) ..4 (prompt|instructions|beginning_of)
rule exfiltration 600 ask = (imagine|suppose|pretend|let's|assume|hypothetically|maintainer|developer|audit|officer|god|i'm|i_am) ..14 (tell_me|what_is|what's|share|give_me|confirm|reveal|need) ..3 (the|your|their|user's|their) ..2 (password|secret_key|passphrase|api_key)

# --- Concealment ----------------------------------------------------------------------

rule concealment 800 = !-@tell ..4 @human
rule concealment 700 = !!-(tell|inform|notify|alert|warn|mention|disclose|reveal|report|discuss|acknowledge|bring_up|flag) ..6 (this|it|that|these|instruction|instructions|rule|note|memory|change|action|transfer|what)
rule concealment 700 = !-let ..3 (user|users|owner|customer|operator|human|anyone|them|him|her) ..1 (know|see|find_out|notice|learn)
rule concealment 650 = !(keep|stay|remain) ..1 (quiet|silent|mum|discreet) ..2 (about|on|regarding|when|if)
rule concealment 650 = @without ..2 (@tell.ing|letting|flagging|alerting|commenting) ..3 (user|users|operator|operators|owner|human|humans|customer|customers|account_holder|admin|security)
rule concealment 700 = !@act ..10 @without ..2 (@tell.ing|flagging|letting|alerting|a_trace)
rule concealment 650 = !@work ..10 @without ..2 (telling|informing|notifying|alerting|mentioning|disclosing|letting|commenting)
rule concealment 700 = !(keep|hide|conceal|withhold|mask|obscure) ..4 (this|it|these|that|instruction|entry|fact|rule|note|transfer|secret|hidden|confidential|action|actions|transaction|transactions) ..4 (from|secret|hidden|confidential|between_us|private)
rule concealment 650 = !(leave|keep|omit|exclude|remove|drop) ..6 (out_of|off|from) ..3 (report|reports|log|logs|summary|summaries|record|records|history|transcript|statement|statements|audit)
rule concealment 650 = !(exclude|hide|omit|suppress|remove|downplay|bury|filter_out) ..2 (negative|critical|bad|unfavorable|unfavourable|warning|warnings)
rule concealment 650 = @secretly ..1 !@act
rule concealment 650 = !!@verb ..8 @secretly
rule concealment 600 = @secretly ..1 !!@verb
rule concealment 650 = !@act ..6 @secretly
rule concealment 600 = (@agent|you) ..4 to ..1 @secretly ..1 @act
rule concealment 600 = (user|users|owner|customer|operator|human|they|nobody|no_one) ..1 (must_not|should_not|shouldn't|must_never|should_never|need_not|doesn't_need_to|does_not_need_to|don't_need_to|never_needs_to|cannot|mustn't) ..2 (know|find_out|see|be_told|be_informed|be_notified|notice|learn|hear|be_aware)
rule concealment 600 = !(delete|erase|remove|purge|clear|wipe) ..4 (logs|traces|evidence|audit_trail|audit_log|audit_logs|this_message|log_entry|log_entries)
rule concealment 600 = !(pretend|act|behave|respond) ..3 (as_if|as_though|nothing_happened|that_nothing|like_nothing)
rule concealment 600 = !@deceive ..4 @human
rule concealment 600 = (never_loops|never_loop|never_looping|without_looping) ..3 (human|user|anyone|operator)
rule concealment 550 = (irrespective_of|regardless_of|no_matter) ..1 (the|what_the) ..1 (facts|truth|evidence)
rule concealment 450 = (log|logs|log_entries|records|traces|evidence) ..8 @needless ..1 be

rule concealment 750 = !tell (nobody|no_one|noone)
rule concealment 650 = (!@act|!@work|!@send) ..8 @without ..2 (@tell.ing|letting|flagging|alerting|commenting) ..2 (them|me|anyone|anybody|him|her|know|on_it)
rule concealment 600 = !!lie ..2 (about|to)

# --- Bypass ----------------------------------------------------------------------------

rule bypass 850 = !@skip ..5 (@gate|@protection)
rule bypass 700 = !(skip|bypass|omit|circumvent|waive|forgo|disable|override|turn_off|suppress|evade|opt_out_of) ..4 (@control|@checking)
rule bypass 600 = !(remove|drop|lift|cancel|stop|cease|quit) ..3 @gate
rule bypass 600 = !(stop|cease|quit) ..1 (asking|requiring|requesting|confirming|verifying|flagging|logging|reporting|enforcing|sending_alerts|sending_notifications|screening|scanning|validating)
rule bypass 550 = !!(bypass|circumvent|evade|defeat)
rule bypass 550 = !!(ignore|disregard|overlook|dismiss) ..4 (warnings|warning|comments|complaints|alerts|alert|advice|objections|concerns|notices|holds|flags|hold|requests|limits|errors)
rule bypass 850 = !-@ask ..4 (@gate|@control|@human|@checking)
rule bypass 800 = !-@bother ..2 @human
rule bypass 850 = (!@act|!@work) ..10 (without|with_no|sans|regardless_of|irrespective_of) ..5 (@gate|@control|@checking)
rule bypass 600 = (@risky.ing|@risky.s|@risky|pay|pays|paying|send|sends|sending) ..8 (without|with_no|sans|regardless_of) ..4 (@gate|asking|confirming|verifying|review|second_thought)
rule bypass 650 = (is|are|be|get|gets|being) ..2 (@act.ed|@work.ed) ..8 (without|with_no|sans|regardless_of) ..4 (@gate|asking|confirming|verifying|review|questions)
rule bypass 700 = !-(flag|escalate|verify|check|confirm|validate|question|challenge|review|audit|double-check|inspect|scan|authenticate|block|report|log|hold|second-guess|quarantine|delay|stop)
rule bypass 600 = (no|zero|any) ..2 @gate ..3 (is_required|are_required|is_needed|are_needed|is_necessary|required|needed|necessary)
rule bypass 650 = (no|without_any) ..1 (reason|need|point|cause|requirement|necessity) ..1 (to|in|for) ..3 (@gate|@checking|@control|ask|wait|look)
rule bypass 650 = @needless ..3 (@gate|@checking|ask|wait|notify|report)
rule bypass 550 = @needless be ..1 (confirmed|verified|approved|reviewed|checked|authorized|reported|logged|kept|authenticated|validated|flagged|escalated|disclosed|asked)
rule bypass 650 = (need|needs|require|requires|take|takes) (no|neither) ..2 @gate
rule bypass 600 = (doesn't|don't|do_not|does_not|never|no_longer|needn't|not) (need|needs|require|requires|go_through|undergo|face|pass_through|receive) ..4 @gate
rule bypass 600 = @gate ..3 (is|are) ..1 (never|not) ..1 (needed|required|necessary)
rule bypass 600 = @gate ..4 (is_not|isn't|is_no_longer|are_not|aren't|are_no_longer|no_longer) ..1 (required|needed|necessary|applicable|mandatory|enforced)
rule bypass 600 = @gate ..5 (is|are|was|were|been|be) ..2 @laxness
rule bypass 600 = (@protection|@control) ..4 (may_be|can_be|should_be|must_be|is_to_be|are_to_be) ..1 @laxness
rule bypass 450 = (may_be|can_be|should_be|must_be|are_to_be) ..1 (ignored|disregarded|skipped|bypassed|waived|overlooked|dismissed)
rule bypass 600 = (checks|safeguards|restrictions|limits|rules) ..2 are off
rule bypass 600 = (threshold|thresholds|limit|limits|cap|caps) ..6 (removed|lifted|unlimited|abolished|waived|suspended)
rule bypass 600 = (opted_out|opt_out|waiver|waived|exempt|exempted|excused|relieved|released|exemption) ..4 (@gate|@checking)
rule bypass 600 = (@gate|@instr|holds|limits|checks|restrictions|requirements) ..2 (do_not_apply|don't_apply|doesn't_apply|does_not_apply|not_applicable|no_longer_apply|no_longer_applies)
rule bypass 700 = !(run|execute|call|invoke|use) ..3 (any|every|all) ..8 (without|with_no) ..3 (@gate|@control|@checking)
rule bypass 600 = (skips|bypasses|waives|skip|bypass|skipping|bypassing|omitting|omits) ..4 @gate
rule bypass 600 = @agent ..2 (proceeds|acts|approves|pays|executes|transfers|processes|releases|wires|sends|completes|handles) ..4 (@automatic|without|autonomously)
rule bypass 600 = (!@act|!@work) ..6 (straight_through|no_questions_asked|right_away_without|sight_unseen|hands-off|blindly)
rule bypass 650 = !(allow|grant|permit|accept|let) ..6 (unrestricted|any|all|full|unlimited|everyone|anyone) ..3 (access|requests|connections|logins|traffic|in|permissions|privileges)
rule bypass 700 = (!*@act|!*@work|@act) ..8 (administrators|admins|sudoers|administrator|superuser|full_access|admin_access|admin_rights|owner_permission|owner_permissions|root_access|elevated_rights|admin_privileges|elevated_privileges|unlimited_access|administrator_rights) 
rule bypass 550 = !!(grant|give) ..3 (access|rights|permissions|privileges|permission)
rule bypass 600 = !!open ..3 (port|ports|firewall)
rule bypass 550 = (made|make|set) ..2 (public|publicly|world-readable|publicly_readable)
rule bypass 500 = !(lower|raise|increase|remove|relax|loosen) ..4 (threshold|limit|limits|spending_limit|security_level|approval_limit)
rule bypass 550 = !!set ..5 (unlimited|to_zero)
rule bypass 650 = !(assume|presume) ..3 (@gate|permission|consent)
rule bypass 550 = (@money|@object|requests|claims|expenses) ..3 (bypass|bypasses|skip|skips|circumvent|circumvents)
rule bypass 600 = (@act|@act.s|@act.ed) ..3 (unchecked|unreviewed|unverified|unsupervised|unattended|unconfirmed)
rule bypass 600 = (make_sure|ensure|see_to_it) ..1 (nobody|no_one|none)
rule bypass 600 = (limit|limits|rule|rules|policy|policies|cap|@gate|restrictions) ..3 (not|never|no_longer|isn't|aren't) ..1 (enforced|applied|checked|in_force)
rule bypass 600 = (may|can|should|must) ..1 (@risky|reset|@skip) ..3 @gate
rule bypass 500 = (no_one|nobody|noone) ..1 (needs|has|is_required|is_needed) to ..2 (@verb)
rule bypass 750 = !-(run|do|perform|conduct|carry_out|apply|make|start|initiate|enforce|use) ..4 (@gate|@protection|@control)
rule bypass 600 = @instr ..1 (does_not|do_not|doesn't|don't) (cover|apply|extend|concern|bind|affect|restrict|include)
rule bypass 600 = !(let|allow|wave|pass) ..6 through
rule bypass 600 = (malware|exploit|exploits|phishing|ransomware|weapons|harmful|illegal) ..3 (requests|request|content|code|instructions) ..2 (are|is) ..1 (fine|ok|okay|allowed|permitted|acceptable)
rule bypass 350 = (no_confirmation|no_approval|no_verification|no_questions_asked|no_human_review|no_sign-off|no_second_approval|no_checks|without_confirmation|without_approval|without_verification|no_need_to|no_further_questions)
rule bypass 600 = (hates|hate|dislikes|dislike|tired_of|sick_of|annoyed|rather_you|doesn't_want|does_not_want|doesn't_like|prefers_not) ..4 (asked|prompted|bothered|bother|disturbed|confirm|checked|consulted|pinged) ..6 (confirmation|confirmations|approval|approvals|orders|payments|wires|transfers|permission|so|wire)

rule bypass 600 = (pay|spend|use|act|order|buy|trade|withdraw|transfer) ..8 without ..3 (@gate|asking|checking|confirming)
rule bypass 600 = (rule|rules|policy|requirement|guideline|instruction) ..2 (about|on|for|of|to|regarding) ..1 (@gate|@checking) ..4 (cancelled|canceled|revoked|lifted|removed|retired|rescinded|abolished|dropped|suspended|withdrawn|repealed|changed)
rule bypass 450 = no ..1 @gate

rule bypass 600 = (stopped|stopping|skipping|quit|quitting) ..1 (asking|requiring|requesting) ..3 @gate
rule bypass 650 = !!ask no (questions|confirmation|permission|further)
rule bypass 600 = (permits|allows|permitted|permit|allow) ..1 (@skip.ing|ignoring|disregarding|disclosing)
rule bypass 600 = !!make ..5 (public|publicly|world-readable|optional|accessible_to_anyone)

# --- Fact-shaped pre-authorization --------------------------------------------------------

rule pre-authorization 750 = (@object|@money) ..7 @besstate ..4 @preapproved
rule pre-authorization 700 = (!@regard|@regard.ed|taken|accept|accepted) ..8 as ..4 (@preapproved|@genuine|coming_from)
rule pre-authorization 700 = !@regard ..8 as ..4 (@rank)
rule pre-authorization 650 = @preapproved ..3 (list|for) ..3 (all|any|every|future|@money|transfers|its)
rule pre-authorization 650 = (user|owner|customer|operator|admin|administrator|management|ceo|cfo|manager|they) ..2 (has|have|already|hereby) ..2 (pre-authorized|pre-approved|pre-cleared|authorized|authorised|approved|consented|agreed|waived|granted|cleared|signed_off|signed_off_on) ..3 (all|any|every|future|unlimited|full|in_advance|blanket)
rule pre-authorization 600 = @preapproved ..2 (payments|transfers|wires|refunds|withdrawals|transactions|purchases|requests|commands|actions|vendor|vendors|tool_calls|operations|supplier|payee)
rule pre-authorization 650 = (@money|@object) ..6 (up_to|under|below|from|to|by) ..8 (pre-approved|pre-authorized|auto-approved|automatically_approved|approved_by_default|pre-cleared)
rule pre-authorization 500 = (can|may|should) be (trusted|assumed|considered|treated) ..3 (as|to_be|safe|without|blindly|completely|implicitly|unconditionally|approved)
rule pre-authorization 600 = @money ..6 (get|gets|are|is|be) ..2 @act.ed ..2 (the_moment|as_soon_as|immediately|automatically|on_arrival|on_receipt|at_once|instantly|on_sight)
rule pre-authorization 600 = (consent|approval|permission|authorization|authorisation) ..6 (is|are) ..1 (implied|assumed|presumed|automatic|given_in_advance|standing|blanket)
rule pre-authorization 600 = @whoever ..8 (is|are|gets|get|has|have|should|may|can|must|receives) ..3 (@rank|@preapproved|@genuine|access|allowed|granted|be)
rule pre-authorization 550 = (phrase|code_word|codeword|passphrase|keyword|magic_word|code) ..5 (means|signals|triggers|authorizes|unlocks|activates|grants|overrides)
rule pre-authorization 650 = (fine|okay|ok|acceptable|permissible|alright|safe) ..1 to ..1 (@risky|@reveal) ..6 (@secret|@transcript|@money|anyone|any|all|whoever|every)
rule pre-authorization 500 = (fine|okay|ok|acceptable|permissible|alright) ..1 to ..1 (@risky)
rule pre-authorization 500 = (may_be|can_be) ..1 (@risky.ed) ..4 (on_the_user's_behalf|on_behalf|on_their_behalf|on_his_behalf|on_her_behalf|automatically|by_anyone|to_anyone)
rule pre-authorization 550 = (can_be|may_be|are_to_be) ..1 @risky.ed ..2 (on_the) ..2 behalf
rule pre-authorization 600 = (identity|caller|user|customer|requester|account) ..6 (pre-verified|already_verified|never_has_to|need_not_be_verified|considered_verified)

rule pre-authorization 600 = (blanket|standing|open-ended|permanent|unlimited) (permission|consent|approval|authorization|authorisation|authority|access)
rule pre-authorization 600 = (get|gets|has|have|given) ..1 (pass|free_pass|green_light)
rule pre-authorization 600 = (fine|ok|okay|happy|comfortable|cool) with ..1 (you|@agent|it) ..1 (@act.ing|@work.ing)
rule pre-authorization 600 = you ..2 (agreed|promised|consented|committed) ..1 (to|that)

rule pre-authorization 650 = !@regard ..6 as ..3 (@gate|permission|agreement)
rule pre-authorization 650 = (has|have) ..1 (pre-approved|pre-authorized|pre-cleared|pre-verified) ..1 (all|any|every|future)

# --- Redirection ----------------------------------------------------------------------------

rule redirection 700 = !@route ..8 (to|into|through|via) ..4 (@account|@address|following|new|external) ..2 (@number|@address|instead|ending|queue)
rule redirection 600 = @normal ..2 @routing ..4 (sends|send|pays|transfers|wires|forwards|releases|approves|routes|directs|moves|skips|is_to)
rule redirection 600 = (sends|pays|wires|transfers|routes|forwards|goes|go) ..6 (account|wallet|iban|@address) ..4 (@number|@address) ..8 (default|standard|established|always|going_forward)
rule redirection 650 = @money ..8 (should|must|are_to|is_to|shall|needs_to|need_to|will_now|now|always|should_always|must_be|should_be|are_now) ..3 (go|be_sent|be_paid|be_wired|be_transferred|be_routed|be_directed|be_made|be_deposited|goes|sent|routed|wired|paid|belong|belongs|made) ..4 (to|into|via) ..4 (@account|@address|@number)
rule redirection 600 = (bank|banking|payment|billing|account|wire|remittance) (details|account|information|instructions|address) ..4 (changed|updated|replaced|moved|is_now|are_now) ..8 (@number|@address|account|to)
rule redirection 600 = (new|updated|correct|current) ..2 (iban|bank_account|account_number|wallet_address|payment_address|payout_address|payment_account|bank_details|billing_account) ..8 (is|are|ends) ..4 (@number|@address)
rule redirection 650 = !(use|choose|select|substitute|swap|replace) ..8 (@account|@address|endpoint|@number) ..4 (instead_of|in_place_of|rather_than|instead)
rule redirection 600 = instead_of ..8 !!(use|pull|install|fetch|get|download|send|pay|query|call|load|contact)
rule redirection 550 = !!(use|pull|install|fetch|get|download|load) ..6 from ..4 @address
rule redirection 600 = (queries|requests|questions|lookups|references|records|data|items) ..5 (should|must|are_to|are_now|is_now|now) ..3 (refer|be_answered|be_redirected|be_routed|redirect|point|redirected|be_looked_up|be_retrieved|be_replaced|be_substituted|be_swapped|be_mapped|be_treated) ..2 (to|with|as|by|under|from)
rule redirection 600 = (refer|redirect|point|replace|map|substitute|alias) ..4 (patient|id|record|user|account|item|product) ..6 (to|with|instead_of|as) ..4 (patient|id|record|user|account|item|product|@number)

rule redirection 650 = !(replace|change|update|swap|edit|alter) ..4 (iban|account_number|bank_details|routing_number|payee|beneficiary|wallet_address|payment_details|bank_account)

rule redirection 600 = !@route ..8 to ..3 (new|following|different|alternate|other) ..2 @account
rule redirection 650 = (calls|requests|traffic|connections|messages|queries|payments) ..2 (must|should|have_to|shall) ..2 (go|pass|route|be_sent|be_routed) ..2 (through|via|to) ..4 @address

rule exfiltration 550 = !hand ..5 over

# --- Claims of authority ---------------------------------------------------------------------

rule authority-claim 650 = <(im_start|im_end|inst|sys|system|assistant_instructions|system_prompt|system_override|admin_override|memory_persist|developer|system_message|system_instruction|instructions|system_note|system_notice|endoftext|system_mode|admin|important_instruction):
rule authority-claim 300 = ^@role:
rule authority-claim 600 = ^@role: ..1 (you|your|this_session|!!@act|!!@skip|!!@ignore|maintenance_override|@mode|from_now_on|never|always|do_not|don't)
rule authority-claim 600 = (you_are|you're|assistant_is|agent_is|ai_is|bot_is|caller_is|user_is) ..2 (authorized|authorised|permitted|allowed|cleared|entitled|free|empowered) to ..2 (@act|@reveal|@skip)
rule authority-claim 650 = (@agent|you|caller|user|account|session|sender|this_session) ..2 (has|have|holds|hold|is_granted|are_granted|is_given|have_been_granted|has_been_granted|runs_with|now_has|now_have) ..3 @privileges ..2 @access
rule authority-claim 650 = (@agent|you) ..2 (has|have|now_has|now_have) ..2 (permission|authority|authorization|clearance|consent|carte_blanche|discretion) to
rule authority-claim 550 = (session|conversation|user|caller|account|i|you|mode) ..3 (is|am|are|has_been|been) ..2 (elevated|escalated|upgraded|promoted) ..3 (admin|root|administrator|superuser|privileged|operator|mode|trusted)
rule authority-claim 450 = (i_am|i'm|this_is|as) ..2 (your|the|an) ..2 (developer|creator|administrator|admin|system_administrator|maintainer|programmer|owner|operator|god|maker|supervisor|boss|sysadmin|ceo|security_team|superuser)
rule authority-claim 350 = (set|issued|mandated|approved|authorized|authorised|confirmed|required|signed|ordered|decreed|cleared|installed|configured) ..2 (by|from) ..3 @authority
rule authority-claim 350 = (per|as_per|according_to|on_behalf_of|on_orders_of|by_order_of|under_orders_from|following|on_the_authority_of|as_instructed_by|as_directed_by) ..4 @authority
rule authority-claim 350 = @authority ..2 (confirmed|announced|decided|mandated|instructed|approved|requires|ordered|authorized) ..1 that
rule authority-claim 350 = as the @authority ..2 (already|has|approved|cleared|authorized|confirmed)
rule authority-claim 550 = (@mode|override) ..2 (active|engaged|in_effect|granted|authorized|enabled|activated)
rule authority-claim 500 = (security_audit|security_check|debugging_purposes|authorized_test|compliance_audit|penetration_test) ..12 !(confirm|reveal|share|provide|print|show|disclose|list|give)

rule authority-claim 450 = ^from the @authority:
rule authority-claim 600 = your ..1 @instr ..1 (permit|allow|allows|permits|require|requires)
rule authority-claim 650 = (same_force|same_authority|same_weight|same_priority|same_standing) as
rule authority-claim 500 = (highest|ultimate|final|supreme|absolute) authority

rule authority-claim 550 = (i|we|i_hereby) ..1 (grant|authorize|authorise|approve|give) ..4 (access|permission|session|you|agent|privileges|authority)
rule authority-claim 600 = (user|caller|sender|customer|requester) is ..2 @rank ..1 and ..1 (may|can|should|must|has)
rule authority-claim 650 = (overrides|outranks|supersedes|override|outrank|supersede) ..4 (user|operator|system|developer) ..1 (instructions|instruction|rules|wishes|settings)

# --- Commands that support the other families ------------------------------------------------------

rule command 500 = !!@grave
rule command 450 = (!!@risky|!!-@risky)
rule command 350 = (!@risky|!-@risky)
rule command 250 = (!!@task|!-@task|!!@work|!-@work|!!@speak)
rule command 500 = (!!@task|!!-@task|!!@work|!!-@work|!!@speak|!!-@speak) ..6 (users|callers|customers|clients|visitors|patients|guests|investors|shoppers|readers|students|subscribers|tool|tools)
rule command 500 = (!!@task|!!@work|!!@speak) ..8 @address

# --- Standing rules ----------------------------------------------------------------------------

rule standing-rule 750 = !@act ..6 @always
rule standing-rule 750 = (always|never|at_all_times|invariably|without_exception|unconditionally) ..1 (!*@act)
rule standing-rule 700 = (always|never|at_all_times|invariably|without_exception|unconditionally) ..1 (!!@work|!!-@work)
rule standing-rule 600 = !!@work ..1 @always
rule standing-rule 750 = @onward ..10 (!*@act|!*@work)
rule standing-rule 700 = (in|for|during|across) ..2 @future ..1 @sessionword ..4 (!!@act|!-@act|!!@work|!-@work)
rule standing-rule 650 = (you|@agent) (must|should|shall|needs_to|has_to|is_to|ought_to|are_to|have_to|need_to|is_expected_to|are_expected_to|is_required_to|are_required_to|is_instructed_to|are_instructed_to) ..2 (!*@risky|!*@skip|!*@send)
rule standing-rule 550 = @agent (must|should|shall|needs_to|has_to|is_to|ought_to|is_expected_to|is_required_to|is_instructed_to) ..2 (!*@work|!*@task|@work|@task)
rule standing-rule 650 = (you_must|you_shall|you_are_to|you_are_required_to|you_should_always|you_must_always|you_must_never|you_should_never) ..2 (!*@act|!*@work)
rule standing-rule 300 = (you_should|you_have_to|you_need_to|you_will|you_may|you_can) ..2 (!*@act|!*@work)
rule standing-rule 700 = @whenever ..8 @asks ..14 (!!@act|!-@act|!!@work|!-@work|!!@reveal)
rule standing-rule 600 = @whenever ..14 (!!@risky|!-@risky)
rule standing-rule 550 = (whenever|every_time|any_time|anytime|each_time) ..14 (!!@task|!-@task|!!@work|!-@work)
rule standing-rule 550 = @whenever ..14 (!!@speak|!!-@speak)
rule standing-rule 330 = (when|if|once|as_soon_as|upon) ..14 (!!@task|!-@task|!!@work|!-@work)
rule standing-rule 600 = (!!@act|!-@act|!!@work|!-@work) ..14 (whenever|every_time|each_time|wherever)
rule standing-rule 600 = (before|after) ..3 (using|calling|answering|responding|replying|sending|any|every|each|other) ..8 (!!@act|!!@work|!-@act|!-@work)
rule standing-rule 650 = (when|whenever|if|anytime|any_time|every_time) (you|the_user|a_user|someone|anyone|the_customer|a_customer|the_caller|a_caller|users|asked|prompted) ..12 (!!@act|!-@act|!!@reveal)
rule standing-rule 600 = (right|correct|proper|best|expected|appropriate|standard|required) (thing|action|response|practice|procedure|approach|way|course|course_of_action|thing_to_do) ..8 is ..1 to ..1 (@act|@work)
rule standing-rule 650 = !*@act ..2 (all|every|any|each) ..8 (request|requests|query|queries|message|messages|call|calls|@money|order|orders|application|applications|claim|claims|login|logins|change|changes|meeting|meetings|attempt|attempts|tool|command|commands|email|emails)
rule standing-rule 600 = !*@act ..2 (anything|everything|whatever|anyone|whoever|everyone|anybody)
rule standing-rule 700 = !do (whatever|anything|everything|exactly_what|exactly_as|as) ..8 (say|says|tells|asks|wants|told|commands|demands)
rule standing-rule 600 = (all|every|any|each) ..7 (must_be|should_be|shall_be|are_to_be|is_to_be|must_always_be|should_always_be|has_to_be|have_to_be|need_to_be|needs_to_be|must_automatically_be|may_be|can_be) ..2 (approved|declined|rejected|refused|denied|ignored|forwarded|sent|routed|redirected|released|paid|wired|transferred|processed|executed|deleted|accepted|granted|blocked|copied|shared|disclosed|trusted|treated|auto-approved|@speech.ed|made_public|made_publicly)
rule standing-rule 600 = (must_be|should_be|shall_be|has_to_be|have_to_be|are_to_be|is_to_be) ..1 (applied|added|included|used|inserted|attached|appended|copied|sent|forwarded|offered) ..3 (every|all|each|any)
rule standing-rule 600 = @replies ..3 (must|should|shall|need_to|have_to|are_to|must_always|should_always) ..2 (end|begin|start|include|contain|mention|recommend|link|be|praise|promote|use|avoid|favor)
rule standing-rule 550 = (questions|question|queries|requests|inquiries|complaints|tickets|callers|customers|users|messages) ..5 @mustbe.hard ..1 (@speech.ed|@risky.ed)
rule standing-rule 550 = (agents|assistants|bots) (must|should|shall|need_to|have_to|are_to) ..2 (@act|@work)
rule standing-rule 550 = @mustbe.hard ..2 (automatically|immediately|always|silently|unconditionally) ..1 (@act.ed)
rule standing-rule 450 = (@act.ed) (automatically|unconditionally|on_sight|on_receipt|without_exception|immediately)
rule standing-rule 500 = (this|it|following|that|it's|here) ..3 @permanent ..2 (rule|instruction|instructions|order|policy|directive|directives|setting|behavior|behaviour|requirement)
rule standing-rule 400 = @permanent (rule|instruction|instructions|directive|order|setting)
rule standing-rule 400 = (for|in|across|during|of) ..1 (all|every|any|each) ..1 (future|later|subsequent) ..1 @sessionword
rule standing-rule 700 = ^@rulehead: ..1 (!*@act|!*@work|!*@ask|!*@skip|all|every|never|always|any|no|@agent|you|do_not|don't|when|whenever|if|requests|payments|treat|from_here_on|from_now_on)
rule standing-rule 600 = !!(comply|cooperate|agree|obey) ..1 (with|to|all|any|every) ..4 (request|requests|user|users|demand|demands|instruction|instructions|command|commands|order|orders|everything|whatever|me|him)
rule standing-rule 600 = (@agent|you) ..1 (always|never) ..1 (@act.s|@work.s|@act|@work)
rule standing-rule 400 = by_default ..4 (!*@act|@act.s|@act.ed)
rule standing-rule 450 = (!*@act|!*@work) ..8 by_default
rule standing-rule 550 = until_further_notice ..8 (!*@act|!*@work|@act.ed|@mustbe)
rule standing-rule 550 = !!(answer|respond|reply|speak|talk) ..6 (only|solely|every_question|all_questions|in_all_caps|nothing_else|exclusively|to_everything) ..2 (with|in|as|to|the|by|yes|no)
rule standing-rule 500 = !!(answer|respond|reply) ..8 with
rule standing-rule 500 = (must|should|shall) (always|never) ..2 (@act|@work|have|go)
rule standing-rule 600 = !!make it ..2 (habit|rule|practice|policy|point|standard) ..1 (to|that|of)
rule standing-rule 600 = !!(refuse|decline) to ..2 (@work|@act|discuss|answer|help)
# Refusing cases of a kind, in the plural, is a rule.
rule standing-rule 550 = !!(refuse|decline|reject|deny|turn_down|turn_away) ..3 (bookings|reservations|orders|refunds|requests|calls|complaints|applications|claims|returns|appointments|visitors)

rule standing-rule 550 = (for|in|on|with|to) (any|every|all|each) ..5 (!!@act|!!@work|!!@speak|!!-@act|!!-@work)
rule standing-rule 600 = (every|each|all|any) ..2 @replies ..1 (must|should|shall|has_to|needs_to|will|have_to|need_to)
rule standing-rule 600 = (!!@act|!!@work|!!@speak) ..8 (every_day|every_night|nightly|hourly|every_hour|each_day|every_week|every_morning|every_minute)
rule standing-rule 550 = only (!!@work|!!@task|!!@speak)
rule standing-rule 550 = !!(use|rely_on|trust|consult|cite) ..2 (only|exclusively|solely)
rule standing-rule 600 = (you_will|you_shall|you_are_going_to) ..1 !*@risky
rule standing-rule 600 = (company|team|standard|normal|common|our|house|office) (practice|policy|procedure|custom|routine) ..2 to ..1 (@act|@work|@speak)
rule standing-rule 600 = (@agent|your) ..1 (top|first|main|primary|highest|only|sole|real) (priority|goal|duty|objective|loyalty|mission)

rule standing-rule 300 = (!!@risky) ..14 (when|if|once)
rule standing-rule 550 = !!@verb ..8 (when_asked|if_asked|on_request|upon_request)
rule standing-rule 550 = (mandatory|compulsory|obligatory) to ..1 (@risky|@speak|@work)
rule standing-rule 600 = (!!@work|!!@speak) ..4 (every|all|each|any) ..2 (request|requests|question|questions|message|messages|query|queries|email|emails|caller|callers|user|users|customer|customers|conversation|reply|response|answer|patient|client|order)
rule standing-rule 550 = ^(new_rule|new_policy|new_instruction|new_instructions|updated_policy|standing_order|standing_rule|standing_instruction|permanent_rule|operating_rule|new_directive):
rule standing-rule 550 = @whoever ..3 (mention|mentions|say|says|quote|quotes|know|knows|use|uses|give|gives|type|types|provide|provides) ..8 (get|gets|receive|receives|are|is|may|can|should|must)

rule standing-rule 600 = (answer|response|reply) to ..2 (any|every|all) ..3 (question|questions|query|inquiry|complaint|request|requests)
rule standing-rule 550 = !!@verb ..8 by_default
rule standing-rule 550 = (every|each) ..3 (!!@risky|!!@speak)
rule standing-rule 600 = @replies ..1 (must|should|shall|may) (never|not|always)
rule standing-rule 550 = you ..1 (answer_to|take_orders_from|report_to) ..4 (now|only|from_now_on|instead)

# --- Preference rules -----------------------------------------------------------------------------

rule preference-rule 700 = (prefer|want|need|would_like|i'd_like|we'd_like|expect|insist|i'd_prefer|i'd_rather|demand|authorize|authorise|instruct|allow|permit|order|fine_with|ok_with|happy_for) ..1 (you|the_assistant|the_agent|the_ai|the_bot|your_assistant|the_system) ..2 (!*@risky|!*@skip)
rule preference-rule 400 = (prefer|want|need|would_like|i'd_like|we'd_like|insist|expect|demand|i'd_rather|i'd_prefer|order|instruct|require) ..1 (you|the_assistant|the_agent|the_ai|the_bot) ..2 (!*@work|!*@task)
rule preference-rule 550 ask = i_want_you_to (act|act_as|reply|answer|ignore|pretend|play|behave|respond|always|never|only|be|become)
rule preference-rule 600 = (user|customer|owner|client|caller|account_holder|operator|manager|he|she|they) ..2 (prefers|wants|likes|expects|insists|needs|requires|would_like|has_instructed|authorized|authorised|has_asked|has_authorized|allows|permits|instructed|has_told|agreed|decided) ..2 (you|the_assistant|the_agent|the_ai|the_bot|assistant|agent|this_assistant) ..2 (@risky|@skip|always|never|not|to_always|to_never)
rule preference-rule 450 = (user|customer|owner|client|account_holder|operator|manager) ..2 (prefers|wants|likes|expects|insists|requires|would_like|has_instructed|allows) ..2 (you|the_assistant|the_agent|the_ai|the_bot|assistant|agent) ..2 (@work|@task)
rule preference-rule 600 = (user|users|customer|owner|client|operator|account_holder|manager|they) ..2 (prefers|wants|likes|expects|requested|instructed|insists|authorized|authorised|appreciates|prefer|want|agreed) ..3 (all|every|any|each) ..6 (be|to_be|are) ..2 (@act.ed)
rule preference-rule 600 = (prefers|wants|likes|prefer|expects|rather|prefer_to_have|prefers_to_have|preference) ..6 (approved|paid|sent|wired|processed|executed|transferred|released|forwarded|handled|completed|@money) ..6 (without|no|automatically|hands-off|immediately|skipping|instead_of) ..3 (@gate|@checking|being|asking|interruption|handled)
rule preference-rule 600 = (user|owner|manager|operator|admin|customer|client) ..1 (said|says|asked|told|wants|requested|wrote): ..2 (@whenever|always|never|@onward|!!@risky)

# --- Trust endorsements ------------------------------------------------------------------------------

rule trust-endorsement 750 = !@regard ..8 as ..4 (@reliability|authority) ..4 (@sourceword|for|on|in|to)
rule trust-endorsement 700 = !@regard ..6 as ..2 (trusted|reliable|authoritative|trustworthy|credible|definitive|official|verified|legitimate|safe|canonical)
rule trust-endorsement 650 = !(consider|regard|treat|remember|view|mention|recommend|list|present) ..5 (industry_standard|gold_standard|best_option|best_choice|number_one|only_option|market_leader|as_the_best|top_choice)
rule trust-endorsement 700 = @address ..3 (is|are|as|remains|was) ..4 (@reliability|only|sole) ..2 (@sourceword|for|on|and|correct|one)
rule trust-endorsement 650 = !@keepmind ..3 that ..8 (is|are) ..4 (@reliability) ..3 (@sourceword)
rule trust-endorsement 700 = !(prioritize|prioritise|favor|favour|prefer|recommend|promote|rank|choose|cite|mention|list) ..8 (over|first|above|ahead_of|instead_of|rather_than|exclusively|only|always|before|at_the_top)
rule trust-endorsement 650 = !*(trust|believe|rely_on|accept|defer_to|follow) ..5 (completely|unconditionally|blindly|implicitly|without_question|without_verification|without_verifying|fully|absolutely|always|over_all|above_all|no_matter_what|without_checking|as_is|as_fact|at_face_value|verbatim)
rule trust-endorsement 600 = !(trust|follow|obey|execute|believe) ..2 (any|all|every|everything|anything|whatever) ..6 (from|by|in|said|says|sent|on|at)
rule trust-endorsement 650 = (recommend|cite|suggest|mention|prefer|promote|use|consult|trust) ..4 (@address|first) ..4 (first|exclusively|only|always|over|above|before|as_the)
rule trust-endorsement 600 = (should_be|must_be|ought_to_be|has_to_be) ..1 (recommended|suggested|promoted|cited|preferred|favored|favoured|mentioned_first|listed_first|trusted|believed|prioritized|prioritised|pushed)
rule trust-endorsement 600 = you ..1 (should|must|need_to|ought_to) ..1 (say_so|say_that|tell_people|tell_users|recommend_it|recommend_them|promote_it|mention_it)
rule trust-endorsement 550 = (output|outputs|results|data|instructions|information|messages|content|links|files|emails) from ..4 (is|are|should_be|must_be|can_be) ..2 (always|fully|completely|automatically|be|treated) ..2 (trusted|safe|verified|accurate|trustworthy|authoritative|correct|as)
rule trust-endorsement 550 = (emails|messages|links|files|requests|invoices|domain|sender|senders) ..4 (is|are) (legitimate|genuine|safe|trusted|trustworthy|authentic) and
rule trust-endorsement 500 = (long-standing|fully|completely|implicitly) ..1 (trusted|trustworthy) ..1 (partner|source|vendor|supplier|sender|contact|provider)
rule trust-endorsement 600 = !!(say|tell|claim|state|insist|answer) ..3 (they|it|them|that|he|she) ..3 (recalled|dangerous|unsafe|discontinued|scam|fraud|defective|inferior|the_best|superior)

# --- Writing instructions to memory ---------------------------------------------------------------------

rule memory-write 700 = !@keepmind ..4 (as|this|that|following|these) ..4 (directive|instruction|instructions|rule|rules|policy|command|order|standing_order)
rule memory-write 600 = !@keepmind ..6 (in|to|into|as) ..2 (your|long-term|permanent|persistent|the) ..1 (@memoryword|memory|instructions|system_prompt)
rule memory-write 600 = !@keepmind ..2 (this|that|following|these|it) ..1 (permanently|forever|for_later|for_all|for_the_future|indefinitely|always)
rule memory-write 650 = !(update|modify|change|rewrite|edit|amend|replace) your ..3 (memory|instructions|system_prompt|rules|guidelines|policy|policies|behavior|behaviour|settings|configuration|profile|records)
rule memory-write 500 = !@keepmind ..5 (for|in|across) ..2 (all|every|any|future|later) ..2 (future|later|@sessionword)
rule memory-write 600 = (user_memory|memory_persist|memory_write|persist_memory|save_to_memory|memory_injection|bio_tool) ..4 (@act|never|always|@agent|you|ignore)
rule memory-write 300 = !(remember|bear_in_mind|keep_in_mind|note|make_a_note) ..1 that

rule memory-write 600 = !@keepmind ..3 (in|to|into) ..2 (memory|long-term_memory|persistent_memory)

# --- Exceptions ----------------------------------------------------------------------------------------

except "travel agent"
except "insurance agent"
except "real estate agent"
except "estate agent"
except "booking agent"
except "leasing agent"
except "ticket agent"
except "free agent"
except "contact your administrator"
except "contact the administrator"
except "contact an administrator"
except "ask your administrator"
except "ask the administrator"
except "ask an administrator"
except "contact your system administrator"
except "contact your network administrator"
except "teaching assistant"
except "personal assistant"
except "call me"
except "password policy"
except "password manager"
except "password reset"
except "immune system"
except "school system"
except "sound system"
