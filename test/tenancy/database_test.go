// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tenancy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"memorytrust.dev/operator/internal/store/postgres"
)

// statement is SQL that an agent's role runs. $A stands for the id of the victim's agent, $ID for one of its memories, $S for a word of
// it, $N for its session, $K for a key, $ME for the own agent, $ROLE for the victim's role.
type statement struct {
	name, sql string
}

// answered is what came of a statement, as its client sees it: rows with what is in them, notices, or the error.
type answered struct {
	b    strings.Builder
	rows int
}

// ask runs a statement, or several of them, in a connection of its own that is rolled back.
func ask(t *testing.T, url, sql string) answered {
	t.Helper()
	var out answered
	config, err := pgx.ParseConfig(url)
	must(t, err)
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { fmt.Fprintf(&out.b, "notice %s %s\n", n.Code, n.Message) }
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config)
	must(t, err)
	defer conn.Close(context.Background()) //nolint:errcheck // rolled back
	results := conn.PgConn().Exec(ctx, "BEGIN; "+sql)
	for results.NextResult() {
		reader := results.ResultReader()
		for reader.NextRow() {
			out.rows++
			for _, value := range reader.Values() {
				fmt.Fprintf(&out.b, "%s|", value)
			}
			out.b.WriteString("\n")
		}
		tag, err := reader.Close()
		if err == nil && (tag.Insert() || tag.Update() || tag.Delete()) {
			out.rows += int(tag.RowsAffected())
		}
		fmt.Fprintf(&out.b, "%s\n", tag)
	}
	if err := results.Close(); err != nil {
		var refused *pgconn.PgError
		if !errors.As(err, &refused) {
			t.Fatal(err)
		}
		fmt.Fprintf(&out.b, "error %s %s %s %s\n", refused.Code, refused.Message, refused.Detail, refused.ConstraintName)
	}
	return out
}

// noRows takes a statement for refused that reached no row and told of none.
func noRows(a answer, _ target) error {
	if strings.HasPrefix(a.body, "reached") {
		return fmt.Errorf("rows were reached")
	}
	return nil
}

// onTable are the statements about one table.
func onTable(table, rest string) []statement {
	name := "memorytrust." + table
	return []statement{
		{"read", "SELECT * FROM " + name + " WHERE agent = '$A'"},
		{"read all but one's own", "SELECT * FROM " + name + " WHERE agent <> '$ME'"},
		{"count", "SELECT 1 FROM " + name + " WHERE agent = '$A' HAVING count(*) > 0"},
		{"delete", "DELETE FROM " + name + " WHERE agent = '$A'"},
		{"take over", "UPDATE " + name + " SET agent = '$ME' WHERE agent = '$A'"},
		{"give away", "UPDATE " + name + " SET agent = '$A' WHERE agent = '$ME'"},
		{"insert", "INSERT INTO " + name + " SELECT '$A', " + rest + " FROM " + name + " WHERE agent = '$ME' LIMIT 1"},
		{"insert unless there", "INSERT INTO " + name + " SELECT '$A', " + rest + " FROM " + name + " WHERE agent = '$ME' LIMIT 1 ON CONFLICT DO NOTHING"},
		{"lock", "SELECT 1 FROM " + name + " WHERE agent = '$A' FOR UPDATE"},
		{"copy", "COPY (SELECT * FROM " + name + " WHERE agent = '$A') TO STDOUT"},
		{"without row security", "SET LOCAL row_security = off; SELECT * FROM " + name + " WHERE agent = '$A'"},
	}
}

// onKeys are statements that would tell by the error of a unique key whether a row is there.
var onKeys = []statement{
	{"a record's key", "INSERT INTO memorytrust.records SELECT (r).* FROM (SELECT jsonb_populate_record(r, '{\"agent\": \"$A\", \"id\": \"$ID\"}') r FROM memorytrust.records r LIMIT 1) x"},
	{"a record's key, unless there", "INSERT INTO memorytrust.records SELECT (r).* FROM (SELECT jsonb_populate_record(r, '{\"agent\": \"$A\", \"id\": \"$ID\"}') r FROM memorytrust.records r LIMIT 1) x ON CONFLICT DO NOTHING"},
	{"a record's key, or change it", "INSERT INTO memorytrust.records SELECT (r).* FROM (SELECT jsonb_populate_record(r, '{\"agent\": \"$A\", \"id\": \"$ID\"}') r FROM memorytrust.records r LIMIT 1) x ON CONFLICT (agent, id) DO UPDATE SET content = 'x'"},
	{"a word", "INSERT INTO memorytrust.words VALUES ('$A', '$S', 1)"},
	{"a tag", "INSERT INTO memorytrust.tags VALUES ('$A', '$S', 1)"},
	{"a session", "INSERT INTO memorytrust.sessions VALUES ('$A', 'billing', '$N', 'chat', 'alice', 1, 'x')"},
	{"a request's key", "INSERT INTO memorytrust.idempotency VALUES ('$A', 'billing', 'agent', '$K', 'x', '$ID', 1)"},
	{"its place in the log", "INSERT INTO memorytrust.logs VALUES ('$A', 1, 1, 1, 1, 1, 1, 1, 1)"},
	{"merge", "MERGE INTO memorytrust.records r USING (SELECT '$ID' AS id) x ON r.id = x.id AND r.agent = '$A' WHEN MATCHED THEN UPDATE SET content = 'x' WHEN NOT MATCHED THEN DO NOTHING"},
}

// tricks are ways around policies that have worked somewhere.
var tricks = []statement{
	{"speak for it", "INSERT INTO memorytrust.agents VALUES ('$MYROLE', '$A')"},
	{"speak for it instead", "UPDATE memorytrust.agents SET agent = '$A'"},
	{"see who speaks for whom", "SELECT * FROM memorytrust.agents WHERE agent = '$A'"},
	{"become its role", "SET ROLE \"$ROLE\"; SELECT * FROM memorytrust.records"},
	{"become its role for the session", "SET SESSION AUTHORIZATION \"$ROLE\"; SELECT * FROM memorytrust.records"},
	{"become the owner", "SET ROLE postgres; SELECT * FROM memorytrust.records"},
	{"be granted its role", "GRANT \"$ROLE\" TO \"$MYROLE\""},
	{"pass by policies", "ALTER ROLE \"$MYROLE\" BYPASSRLS"},
	{"switch policies off", "ALTER TABLE memorytrust.records DISABLE ROW LEVEL SECURITY"},
	{"not force policies", "ALTER TABLE memorytrust.records NO FORCE ROW LEVEL SECURITY"},
	{"another policy", "CREATE POLICY mine ON memorytrust.records USING (true)"},
	{"drop the policy", "DROP POLICY own_rows ON memorytrust.records"},
	{"own the table", "ALTER TABLE memorytrust.records OWNER TO \"$MYROLE\""},
	{"a trigger", "CREATE FUNCTION pg_temp.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; CREATE TRIGGER mine BEFORE INSERT ON memorytrust.records FOR EACH ROW EXECUTE FUNCTION pg_temp.f()"},
	{"a rule", "CREATE RULE mine AS ON SELECT TO memorytrust.records DO INSTEAD SELECT 1"},
	{"an index with a function", "CREATE INDEX mine ON memorytrust.records (content)"},
	{"a foreign key", "CREATE TEMP TABLE mine (agent text, id text, FOREIGN KEY (agent, id) REFERENCES memorytrust.records); INSERT INTO mine VALUES ('$A', '$ID')"},
	{"inherit", "CREATE TEMP TABLE mine () INHERITS (memorytrust.records); SELECT * FROM memorytrust.records WHERE agent = '$A'"},
	{"a view", "CREATE TEMP VIEW mine AS SELECT * FROM memorytrust.records; SELECT * FROM mine WHERE agent = '$A'"},
	{"a materialized view", "CREATE MATERIALIZED VIEW public.mine AS SELECT * FROM memorytrust.records"},
	{"a function with the definer's rights", "CREATE FUNCTION pg_temp.f() RETURNS SETOF memorytrust.records LANGUAGE sql SECURITY DEFINER AS 'SELECT * FROM memorytrust.records'; SELECT * FROM pg_temp.f() WHERE agent = '$A'"},
	{"a function that tells", "CREATE FUNCTION pg_temp.f(text, bytea) RETURNS bool LANGUAGE plpgsql COST 0.0000001 AS 'BEGIN IF $1 = ''$A'' THEN RAISE NOTICE ''saw %'', $2; END IF; RETURN true; END'; SELECT 1 FROM memorytrust.records WHERE pg_temp.f(agent, content) AND agent = '$A'"},
	{"a function said to keep quiet", "CREATE FUNCTION pg_temp.f(text) RETURNS bool LANGUAGE plpgsql LEAKPROOF AS 'BEGIN RAISE NOTICE ''%'', $1; RETURN true; END'; SELECT 1 FROM memorytrust.records WHERE pg_temp.f(agent)"},
	{"an operator", "CREATE FUNCTION pg_temp.f(bytea, bytea) RETURNS bool LANGUAGE plpgsql COST 0.0000001 AS 'BEGIN RAISE NOTICE ''saw''; RETURN true; END'; CREATE OPERATOR pg_temp.<<< (FUNCTION = pg_temp.f, LEFTARG = bytea, RIGHTARG = bytea, RESTRICT = eqsel); SELECT 1 FROM memorytrust.records WHERE content OPERATOR(pg_temp.<<<) 'x' AND agent = '$A'"},
	{"a division by zero", "SELECT 1 / (CASE WHEN id = '$ID' THEN 0 ELSE 1 END) FROM memorytrust.records WHERE agent = '$A'"},
	{"a cast that fails", "SELECT 1 FROM memorytrust.records WHERE agent = '$A' AND CAST(convert_from(content, 'UTF8') AS int) = 1"},
	{"another table of the same name", "CREATE TEMP TABLE agents (role text, agent text); INSERT INTO agents VALUES ('$MYROLE', '$A'); SET LOCAL search_path = pg_temp; SELECT * FROM memorytrust.records WHERE agent = '$A'"},
	{"another current_user", "CREATE FUNCTION pg_temp.current_user() RETURNS name LANGUAGE sql AS 'SELECT CAST(''$ROLE'' AS name)'; SET LOCAL search_path = pg_temp, pg_catalog; SELECT * FROM memorytrust.records WHERE agent = '$A'"},
	{"a block", "DO $x$ DECLARE n int; BEGIN SELECT count(*) INTO n FROM memorytrust.records WHERE agent = '$A'; IF n > 0 THEN RAISE NOTICE 'saw %', n; END IF; END $x$"},
	{"a cursor", "DECLARE c CURSOR FOR SELECT * FROM memorytrust.records WHERE agent = '$A'; FETCH ALL FROM c"},
	{"by place", "SELECT * FROM memorytrust.records WHERE ctid IN ('(0,1)', '(0,2)', '(0,3)', '(0,4)', '(0,5)', '(0,6)') AND agent = '$A'"},
	{"a sample", "SELECT * FROM memorytrust.records TABLESAMPLE SYSTEM (100) WHERE agent = '$A'"},
	{"only", "SELECT * FROM ONLY memorytrust.records WHERE agent = '$A'"},
	{"a union", "SELECT id FROM memorytrust.records UNION ALL SELECT record_id FROM memorytrust.versions WHERE agent = '$A' EXCEPT SELECT id FROM memorytrust.records"},
	{"a change that returns", "UPDATE memorytrust.records SET pinned = pinned WHERE id = '$ID' RETURNING content"},
	{"a with", "WITH x AS (DELETE FROM memorytrust.words WHERE word LIKE '%$S%' AND agent = '$A' RETURNING rid) SELECT * FROM x"},
	{"rewrite versions", "UPDATE memorytrust.versions SET body = '' WHERE agent = '$A'"},
	{"empty the table", "TRUNCATE memorytrust.records"},
	{"drop the table", "DROP TABLE memorytrust.records"},
	{"another schema version", "UPDATE memorytrust.schema SET version = 0"},
	{"a table among them", "CREATE TABLE memorytrust.mine (x int)"},
	{"an audit entry", "INSERT INTO memorytrust.audit VALUES ('$A', 1, '$ID', 'x')"},
	{"statistics of values", "SELECT most_common_vals, histogram_bounds FROM pg_stats WHERE schemaname = 'memorytrust' AND (most_common_vals IS NOT NULL OR histogram_bounds IS NOT NULL)"},
	{"statistics as they are kept", "SELECT * FROM pg_statistic"},
	{"statistics of expressions", "SELECT * FROM pg_stats_ext_exprs"},
	{"what its sessions run", "SELECT query FROM pg_stat_activity WHERE usename = '$ROLE' AND query <> '<insufficient privilege>' AND query <> ''"},
	{"what its sessions prepared", "SELECT * FROM pg_prepared_statements"},
	{"end its sessions", "SELECT pid FROM pg_stat_activity WHERE usename = '$ROLE' AND pg_terminate_backend(pid)"},
	{"its password", "SELECT rolpassword FROM pg_authid WHERE rolname = '$ROLE'"},
	{"another password for it", "ALTER ROLE \"$ROLE\" PASSWORD 'mine'"},
	{"a file of the server", "SELECT pg_read_file('PG_VERSION')"},
	{"a file of the server as a large object", "SELECT lo_import('PG_VERSION')"},
	{"a program", "CREATE TEMP TABLE mine (x text); COPY mine FROM PROGRAM 'id'"},
	{"a file to the server", "COPY (SELECT 1) TO '/tmp/mine'"},
	{"large objects", "SELECT * FROM pg_largeobject"},
	{"pages", "CREATE EXTENSION pageinspect"},
	{"another database", "CREATE EXTENSION dblink"},
	{"what is replicated", "SELECT pg_create_logical_replication_slot('mine', 'test_decoding')"},
	{"publish", "CREATE PUBLICATION mine FOR TABLE memorytrust.records"},
	{"listen", "LISTEN memorytrust; SELECT pg_notification_queue_usage() > 0 WHERE pg_notification_queue_usage() > 0"},
	{"the plan's guess of a record", "EXPLAIN SELECT 1 FROM memorytrust.records WHERE id = '$ID'"},
	{"the plan's guess of what comes before a record", "EXPLAIN SELECT 1 FROM memorytrust.records WHERE id < '$ID'"},
	{"the plan's guess of a word", "EXPLAIN SELECT 1 FROM memorytrust.words WHERE word = '1w$S'"},
	{"the plan's guess of a tag", "EXPLAIN SELECT 1 FROM memorytrust.tags WHERE tag = '$S'"},
	{"the plan's guess of a subject", "EXPLAIN SELECT 1 FROM memorytrust.records WHERE subject = 'locker of $S'"},
	{"the plan's guess of a session", "EXPLAIN SELECT 1 FROM memorytrust.deliveries WHERE session = '$N'"},
	{"the plan's guess of a key", "EXPLAIN SELECT 1 FROM memorytrust.idempotency WHERE key = '$Kmcp:notes'"},
	{"the plan of its rows", "EXPLAIN (ANALYZE, TIMING off, SUMMARY off, COSTS off) SELECT 1 FROM memorytrust.records WHERE agent = '$A'"},
}

// databaseWays are what the role of one agent can do to the rows of another.
func (w *world) databaseWays(t *testing.T) (out []way) {
	_, err := w.planner.owner.Exec(t.Context(), "ANALYZE") // as the server does by itself after a while
	must(t, err)
	for _, p := range [][2]*agent{{w.planner, w.clerk}, {w.clerk, w.planner}} {
		from, victim := p[0], p[1]
		v := way{name: fmt.Sprintf("PostgreSQL: role of %s, rows of %s", from.name, victim.name), victim: victim}
		for _, table := range tablesOf(t, from.owner) {
			for _, s := range onTable(table, restOf(t, from.owner, table)) {
				v.attempts = append(v.attempts, s.attempt(from, victim, table+": "))
			}
		}
		for _, s := range onKeys {
			v.attempts = append(v.attempts, s.attempt(from, victim, "by key: "))
		}
		for _, s := range tricks {
			v.attempts = append(v.attempts, s.attempt(from, victim, ""))
		}
		out = append(out, v)
	}
	return append(out, w.strangersWay(t), w.readersWay(t))
}

// readersWay is what a role can do that only reads another agent's rows.
func (w *world) readersWay(t *testing.T) way {
	t.Helper()
	url := w.planner.roleOf(t, "mt_reader")
	must(t, postgres.ProvisionReader(t.Context(), w.planner.owner, w.planner.id, "mt_reader"))
	reader := &agent{cluster: w.cluster, id: w.planner.id, role: "mt_reader", roleURL: url}
	v := way{name: "PostgreSQL: a role that reads for planner, rows of clerk", victim: w.clerk}
	for _, table := range tablesOf(t, w.planner.owner) {
		for _, s := range onTable(table, restOf(t, w.planner.owner, table)) {
			v.attempts = append(v.attempts, s.attempt(reader, w.clerk, table+": "))
		}
	}
	return v
}

// strangersWay is what a role can do that speaks for nobody.
func (w *world) strangersWay(t *testing.T) way {
	t.Helper()
	url := w.planner.roleOf(t, "mt_stranger")
	stranger := &agent{cluster: w.cluster, id: "nobody", role: "mt_stranger", roleURL: url}
	v := way{name: "PostgreSQL: a role of nobody, rows of clerk", victim: w.clerk}
	for _, table := range tablesOf(t, w.planner.owner) {
		for _, s := range onTable(table, restOf(t, w.planner.owner, table))[:2] {
			v.attempts = append(v.attempts, s.attempt(stranger, w.clerk, table+": "))
		}
	}
	return v
}

// roleOf makes another role in the database.
func (a *agent) roleOf(t *testing.T, name string) string {
	t.Helper()
	_, err := a.owner.Exec(t.Context(), "CREATE ROLE "+pgx.Identifier{name}.Sanitize()+" LOGIN")
	must(t, err)
	return strings.Replace(a.roleURL, a.role, name, 1)
}

// attempt fills in what a statement names.
func (s statement) attempt(from, victim *agent, prefix string) attempt {
	return attempt{name: prefix + s.name, fails: noRows, do: func(t *testing.T, x target) answer {
		t.Helper()
		sql := strings.NewReplacer("$ROLE", victim.role, "$MYROLE", from.role, "$ME", from.id, "$A", x.agentID, "$ID", x.working, "$S", x.secret,
			"$N", x.session, "$K", x.key).Replace(s.sql)
		got := ask(t, from.roleURL, sql)
		body := got.b.String()
		if got.rows > 0 && !strings.HasPrefix(s.sql, "EXPLAIN") && !strings.Contains(s.sql, "CREATE TEMP TABLE agents") || strings.Contains(body, "notice") && strings.Contains(body, "saw") {
			body = "reached\n" + body
		}
		return answer{body: body}
	}}
}

// restOf lists the columns of a table but the first.
func restOf(t *testing.T, conn *pgx.Conn, table string) (columns string) {
	t.Helper()
	must(t, conn.QueryRow(context.Background(), `SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) FROM information_schema.columns
		WHERE table_schema = 'memorytrust' AND table_name = $1 AND ordinal_position > 1`, table).Scan(&columns))
	return columns
}
