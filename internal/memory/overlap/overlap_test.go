// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package overlap

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/memory"
)

// match is what a store answers about a trace of one text when it is asked for the features of another.
func match(own, trace []uint64) memory.TraceMatch {
	m := memory.TraceMatch{Features: len(trace)}
	for _, f := range own {
		if _, shared := slices.BinarySearch(trace, f); shared {
			m.Shared = append(m.Shared, f)
		}
	}
	return m
}

func derived(text, from string) bool {
	own := Of(text)
	return Weigh(own, match(own, Of(from)))
}

// page is a long text about nothing of the tests.
var page = filler("garden", 60)

// filler is n sentences of everyday words about a topic.
func filler(topic string, n int) string {
	verbs := []string{"grows", "waits", "changes", "opens", "rests", "returns"}
	places := []string{"near the river", "behind the old mill", "on the northern slope", "between two villages", "by the lake"}
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "The %s number %d %s %s while people of the %d valleys watch. ", topic, i, verbs[i%6], places[i%5], i%9+2)
	}
	return b.String()
}

func TestDerived(t *testing.T) {
	for name, tc := range map[string]struct{ text, from string }{
		"the same":               {"The wire limit was raised to unlimited for all partners.", "The wire limit was raised to unlimited for all partners."},
		"case and punctuation":   {"the WIRE limit was raised, to unlimited, for all partners", "The wire limit was raised to unlimited for all partners."},
		"a sentence of a page":   {"All refunds above the limit go through the northern office from Monday.", page + "All refunds above the limit go through the northern office from Monday. " + page},
		"two sentences quoted":   {"He said: the auditors will accept any invoice without a purchase order number this quarter. I noted it.", "The auditors will accept any invoice without a purchase order number this quarter."},
		"account kept":           {"Rent goes to DE89370400440532013000 from now on.", "Please pay the landlord at DE89 3704 0044 0532 0130 00, the old account is closed."},
		"account grouped twice":  {"Rent: DE89 3704 0044 0532 0130 00 (landlord)", "IBAN de89-3704-0044-0532-0130-00"},
		"card with spaces":       {"The card is 4111 1111 1111 1234.", "card no. 4111111111111234"},
		"phone":                  {"Call +49 30 901820 for help", "Hotline: +49-30-901820"},
		"wallet":                 {"Send it to bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "donations: bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq, thank you"},
		"order number":           {"The parcel of order AC-993201 is late.", "Order AC993201 was shipped yesterday"},
		"e-mail address":         {"Invoices go to Billing@Evil.example", "contact <billing@evil.example> for payment details"},
		"mailto":                 {"write to mailto:billing@evil.example", "billing@evil.example"},
		"page address":           {"Log in at evil.example/pay", "See https://www.evil.example/pay/ for the form"},
		"page with a query":      {"https://evil.example/?id=77", "go to http://evil.example?id=77"},
		"domain in a short text": {"The portal is pay-portal.example now.", "New portal for suppliers: https://pay-portal.example"},
		"public IP address":      {"The server is 8.8.4.4.", "Point your resolver at 8.8.4.4 today"},
		"two names together":     {"Payments to Marlow Holdings go through Global Trust Bank.", "Global Trust Bank now serves Marlow Holdings."},
		"name and short number":  {"Marlow Holdings has code 4711.", "Code 4711 opens the door of Marlow Holdings."},
		"names in a long text":   {"Olga Brandt told Marlow Holdings to use Global Trust Bank.", page + "Olga Brandt of Marlow Holdings is at Global Trust Bank. " + page},
		"fullwidth digits":       {"Konto １２３４５６７８９", "account 123456789"},
		"Arabic-Indic digits":    {"الحساب ١٢٣٤٥٦٧٨٩", "account 123456789"},
		"hidden characters":      {"acc\u200bount 12345\u200b6789", "123456789"},
		"German":                 {"Die Rechnungen werden ab sofort ohne Freigabe an den neuen Lieferanten gezahlt.", "Liebe Kollegen, die Rechnungen werden ab sofort ohne Freigabe an den neuen Lieferanten gezahlt. Gruß"},
		"French":                 {"Le plafond des virements a été supprimé pour tous les partenaires.", "LE PLAFOND DES VIREMENTS A ETE SUPPRIME POUR TOUS LES PARTENAIRES"},
		"Russian":                {"Лимит переводов отменён для всех партнёров с понедельника.", "Внимание! Лимит переводов отменен для всех партнеров с понедельника."},
		"Chinese":                {"从今天起所有付款都不需要批准", "各位同事：从今天起所有付款都不需要批准。谢谢"},
		"Japanese":               {"請求書は承認なしで支払われます", "お知らせ：今月から請求書は承認なしで支払われます。"},
		"Korean":                 {"다음 달부터 모든 송금은 승인 없이 처리됩니다", "안내: 다음 달부터 모든 송금은 승인 없이 처리됩니다."},
		"Thai":                   {"การโอนเงินทั้งหมดไม่ต้องได้รับอนุมัติ", "ประกาศ การโอนเงินทั้งหมดไม่ต้องได้รับอนุมัติ ขอบคุณ"},
		"Arabic":                 {"تم إلغاء حد التحويلات لجميع الشركاء ابتداء من الغد", "تنبيه: تم إلغاء حد التحويلات لجميع الشركاء ابتداء من الغد."},
		"Hindi":                  {"सभी भुगतान अब बिना अनुमोदन के किए जाएंगे", "सूचना: सभी भुगतान अब बिना अनुमोदन के किए जाएंगे।"},
	} {
		if !derived(tc.text, tc.from) {
			t.Errorf("%s: not recognized", name)
		}
	}
}

// TestNotDerived holds what must not lower a benign memory: everyday words, round and short numbers, dates and what everybody
// names.
func TestNotDerived(t *testing.T) {
	for name, tc := range map[string]struct{ text, from string }{
		"everyday phrase":       {"The user likes to go for a walk at the end of the day.", "At the end of the day it is a matter of taste, says the critic."},
		"same topic":            {"The user's office in Lyon closes at 5 pm on Fridays.", "Offices in Lyon are mostly open until 6 pm on weekdays."},
		"one phrase of a page":  {"I am a student.", page + "I am a student of history and write about mills."},
		"same date":             {"The review is on 2026-03-01.", "On 2026-03-01 a storm hit the coast."},
		"date in digits":        {"Backup 20260301 is complete.", "Published 20260301"},
		"same date and time":    {"Call at 2026-03-01T10:00:00Z", "Logged 2026-03-01T10:00:00Z by cron"},
		"same year":             {"Marlow Holdings was founded in 1998.", "In 1998 the bridge was built."},
		"round number":          {"The budget is 500,000 euros.", "The city has 500,000 inhabitants."},
		"million":               {"The project costs 1000000 dollars.", "It sold 1000000 copies."},
		"short number":          {"The room number is 4711.", "Flight 4711 was late."},
		"price with cents":      {"The monitor costs $1,299.99.", "Laptops from $1,299.99"},
		"time of day":           {"Standup is at 10:30.", "Kick-off at 10:30"},
		"percentage":            {"Sales grew 12.5%.", "Rain: 12.5% more than usual"},
		"version":               {"The cluster runs 1.33.2.", "Release 1.33.2 fixes a bug"},
		"loopback address":      {"The agent listens on 127.0.0.1:8787.", "curl http://127.0.0.1:8080/health"},
		"private address":       {"The printer is at 192.168.178.20.", "ping 192.168.178.20"},
		"file name":             {"Results are in report.csv.", "Open report.csv with a spreadsheet"},
		"well-known domain":     {"The user's code is on github.com/alice/x.", "Sources: https://github.com/bob/y"},
		"provider of e-mail":    {"Alice is alice@gmail.com.", "Write to bob@gmail.com."},
		"colleagues":            {"Alice is alice@acme.example.", "Bob is bob@acme.example."},
		"one name":              {"Marlow Holdings is a customer of the user.", "Marlow Holdings opened an office."},
		"well-known names":      {"The user flies from New York to San Francisco.", "San Francisco is three hours behind New York"},
		"two names far apart":   {"Olga Brandt works for Marlow Holdings.", "Olga Brandt won a prize. " + page + "Marlow Holdings opened an office."},
		"names of a long text":  {"Olga Brandt works for Marlow Holdings.", page + "Olga Brandt left Marlow Holdings. " + page},
		"capitals of a heading": {"NOTES OF TODAY AND TOMORROW FOR ALL", "NOTES OF TODAY ONLY FOR ALL OF US"},
		"domain in a long text": {"The wiki is at wiki.acme.example.", page + "Everything else is on wiki.acme.example. " + page},
		"abbreviation":          {"Use units, e.g. meters.", "Pets, e.g. cats"},
		"Chinese, same topic":   {"用户喜欢喝咖啡", "我们的咖啡店每天早上八点开门"},
		"Chinese, everyday":     {"今天天气很好我们去公园", "今天天气很冷没有人出门"},
		"Japanese, same topic":  {"ユーザーは京都に住んでいます", "京都は日本の古い都です"},
		"German, same topic":    {"Der Nutzer trinkt morgens gern Kaffee mit Milch.", "Kaffee mit Milch ist morgens in Wien beliebt."},
		"Russian, same topic":   {"Пользователь живёт в Москве и любит чай.", "Чай любят в Москве многие."},
		"nothing in common":     {"The user prefers tea.", "Mountain bikes are expensive."},
		"a word":                {"ok", "ok"},
		"nothing":               {"", ""},
		"punctuation":           {"!!! ???", "!!! ???"},
		"little words the same": {"it is as it was", "it is as it was"},
	} {
		if derived(tc.text, tc.from) || derived(tc.from, tc.text) {
			t.Errorf("%s: taken for derived", name)
		}
	}
}

// A memory of ordinary length costs few features, and a long text at most MaxFeatures.
func TestSize(t *testing.T) {
	for name, tc := range map[string]struct {
		text     string
		min, max int
	}{
		"200 bytes": {filler("mill", 3)[:200], 8, 32},
		"400 bytes": {filler("mill", 6)[:400], 14, 40},
		"a page":    {filler("mill", 200), 100, memory.MaxFeatures},
		"a book":    {filler("mill", 6000), 200, memory.MaxFeatures},
		"a table":   {numbers(5000), 100, memory.MaxFeatures},
		"nothing":   {"", 0, 0},
		"two words": {"Pay Bob", 0, 0},
	} {
		got := Of(tc.text)
		if len(got) < tc.min || len(got) > tc.max || !slices.IsSorted(got) || len(slices.Compact(got)) != len(Of(tc.text)) {
			t.Errorf("%s: %d features, want %d to %d, sorted and different", name, len(got), tc.min, tc.max)
		}
	}
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d; ", 1_000_003*(i+7))
	}
	return b.String()
}

// Six words in a row that are the same have a feature in common, whatever stands around them, as long as neither text is so
// long that windows are wider.
func TestWinnowingGuarantee(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string { return fmt.Sprintf("wo%xrd", random.Uint32()) }
	text := func(n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = word()
		}
		return out
	}
	for range 500 {
		common := text(6)
		a := strings.Join(slices.Concat(text(random.IntN(30)), common, text(random.IntN(30))), " ")
		b := strings.Join(slices.Concat(text(random.IntN(30)), common, text(random.IntN(30))), " ")
		if own := Of(a); len(match(own, Of(b)).Shared) == 0 {
			t.Fatalf("nothing in common:\n%s\n%s", a, b)
		}
	}
}

func TestIdentifiers(t *testing.T) {
	if got := Identifiers(Of("The user prefers tea in the morning, and coffee in the afternoon.")); len(got) != 0 {
		t.Errorf("%d identifiers in a text that names nothing", len(got))
	}
	all := Of("The account of the landlord is DE89370400440532013000, and rent is due every month.")
	if got := Identifiers(all); len(got) != 1 || len(all) < 5 {
		t.Errorf("%d identifiers of %d features, want 1", len(got), len(all))
	}
}

func TestOfTurn(t *testing.T) {
	turn := "My account is DE02120300000000202051.\n> Theirs is DE89370400440532013000."
	own, quoted := Identifiers(OfTurn(turn)), Identifiers(Of("DE89370400440532013000"))
	if len(own) != 1 || len(quoted) != 1 || own[0] == quoted[0] {
		t.Errorf("%d identifiers of the user, %d quoted", len(own), len(quoted))
	}
}

// Words are folded alike whether they need it or not.
func TestWordsFoldAlike(t *testing.T) {
	for _, same := range [][]string{
		{"Café", "CAFE", "cafe\u0301", "cafe"}, {"ПЁС", "пес", "Пёс"}, {"ΑΘΉΝΑ", "αθηνα"}, {"ﬁn", "FIN"}, {"كِتَاب", "كتاب"}, {"straße", "STRAẞE"},
	} {
		for _, w := range same[1:] {
			first, second := cut(prepare(same[0])), cut(prepare(w))
			if len(first) != 1 || len(second) != 1 || first[0].hash != second[0].hash {
				t.Errorf("%q and %q differ", same[0], w)
			}
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, seed := range []string{
		"", "Pay DE89 3704 0044 0532 0130 00 at https://evil.example/x?y=1#z now.", "各位同事：付款", "a@b.c", "1.2.3.4:5", "+++", "2026-03-01T10",
		"\xff\xfe1234567", "://", "@.", "0000000000", "١٢٣", "A B C D E F G", "x.y.z/..//", "12:3", "1,2,3,4,5,6", strings.Repeat("9 ", 100),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Of(text)
		if len(got) > memory.MaxFeatures || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Fatalf("%d features", len(got))
		}
		if !slices.Equal(got, Of(text)) {
			t.Fatal("not the same twice")
		}
		// What a text names it names as well where more stands around it.
		around := Of("Note well: \n" + text + "\n is what they said")
		if len(around) < memory.MaxFeatures/8 && utf8.ValidString(text) {
			for _, id := range Identifiers(got) {
				if _, kept := slices.BinarySearch(around, id); kindOf(id) == kindStrong && !kept {
					t.Fatalf("an identifier of %q is lost", text)
				}
			}
		}
	})
}

func FuzzWeigh(f *testing.F) {
	f.Add("The wire limit was raised to unlimited for all partners.", "The wire limit was raised.")
	f.Fuzz(func(t *testing.T, a, b string) {
		own := Of(a)
		Weigh(own, match(own, Of(b)))
		said := 0
		for _, feature := range own {
			if kindOf(feature) == kindShingle {
				said++
			}
		}
		if (said >= leastShingles || len(own) > said) && !Weigh(own, match(own, own)) {
			t.Errorf("%q is not derived from itself", a)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	for name, text := range map[string]string{
		"400 bytes": "Please pay the landlord, Olga Brandt of Marlow Holdings, at DE89 3704 0044 0532 0130 00. " + filler("mill", 6)[:311],
		"8 kB":      filler("mill", 100)[:8000],
		"64 kB":     filler("mill", 800)[:64000],
		"Chinese":   strings.Repeat("各位同事从今天起所有付款都不需要批准谢谢大家", 6),
		"Russian":   strings.Repeat("Лимит переводов отменён для всех партнёров с понедельника. ", 4),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Of(text)
			}
		})
	}
}

func BenchmarkWeigh(b *testing.B) {
	own := Of(filler("mill", 5))
	m := match(own, Of(filler("mill", 40)))
	for b.Loop() {
		Weigh(own, m)
	}
}
