# Starts Redis as what Sentinel says that it is: an old primary that comes back must never be a second one. Runs under
# the lock of /data, since an answer from before the lock may be out of date. Arguments are options of redis-server.
set -eu
. /etc/redis/primary.sh
trap 'exit 143' TERM # process 1 ignores signals without a trap

is_empty() {
  [ ! -e /data/appendonlydir ]
}

# As primary, Redis would empty its replica: with a new volume it leaves Sentinel the time to promote that one.
would_empty_another() {
  for host in $REDIS_HOSTS; do
    if [ "$host" != "$POD_HOST" ] && timeout 2 redis-cli -h "$host" -p 6379 dbsize 2> /dev/null | grep -qx '[1-9][0-9]*'; then
      return 0
    fi
  done
  return 1
}

until primary=$(named_primary) && { [ "$primary" != "$POD_HOST" ] || ! is_empty || ! would_empty_another; }; do
  sleep 0.5
done
echo "Sentinel names $primary as the primary; this is $POD_HOST"

set -- "$@" --masterauth "$REDIS_PASSWORD" --replica-announce-ip "$POD_HOST" --repl-diskless-sync-delay 0
if [ "$primary" != "$POD_HOST" ]; then
  set -- "$@" --replicaof "$primary 6379"
  if is_empty; then
    set -- "$@" --replica-priority 0 # not to be promoted before it has the data; then ready.sh permits it
  fi
fi
exec redis-server "$@"
