#!/bin/sh
# The container's first process: PostgreSQL on the volume at /data, made there at the first start. The superuser "postgres" has
# the password in /etc/database/password; the server speaks TLS with the certificate beside it. An image FROM scratch has this
# shell, which initdb needs as well, and no other program.
set -eu

PATH=$(echo /usr/lib/postgresql/*/bin)
if [ ! -f /data/pg/PG_VERSION ]; then
  initdb --pgdata=/data/pg --username=postgres --pwfile=/etc/database/password --auth=scram-sha-256 --encoding=UTF8 --locale=C
  echo 'hostssl all all all scram-sha-256' >>/data/pg/pg_hba.conf
fi
exec postgres -D /data/pg -k /data -c listen_addresses='*' -c shared_buffers=32MB \
  -c ssl=on -c ssl_cert_file=/etc/database/tls.crt -c ssl_key_file=/etc/database/tls.key "$@"
