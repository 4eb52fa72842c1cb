# Before this pod ends: if it has the primary, Sentinel promotes the replica. Writes pause until then, so that none is
# executed that the replica does not get. Without a replica to promote, the pod just ends.
. /etc/redis/primary.sh

[ "$(redis-cli role | head -n 1)" = master ] || exit 0
redis-cli client pause 15000 write > /dev/null # longer than this may take: SIGTERM ends the pause
for sentinel in $SENTINELS; do
  case $(ask_sentinel "$sentinel" sentinel failover fireside) in
    OK | INPROG*)
      until primary=$(named_primary) && [ "$primary" != "$POD_HOST" ]; do
        sleep 0.1
      done
      exit 0
      ;;
  esac
done
redis-cli client unpause > /dev/null
