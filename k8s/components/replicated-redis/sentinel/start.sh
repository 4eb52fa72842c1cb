# Starts Sentinel with the settings of the manifests, and with what it had learned before it ended: the primary, the
# replicas, the other processes and the votes. Arguments are options of Sentinel.
set -eu
umask 077 # passwords
. /etc/sentinel/primary.sh

file=/data/sentinel.conf
touch "$file"
learned=$(grep -E '^sentinel (myid|monitor|current-epoch|config-epoch|leader-epoch|known-)' "$file" || true)
if [ -z "$learned" ]; then # a new volume: the others may know of failovers
  learned="sentinel monitor fireside $(named_primary || echo "${REDIS_HOSTS%% *}") 6379 $QUORUM"
fi
{
  cat /etc/sentinel/sentinel.conf
  cat << END
$learned
sentinel announce-ip $POD_HOST
sentinel down-after-milliseconds fireside $DOWN_AFTER_MILLISECONDS
sentinel failover-timeout fireside 5000
requirepass $REDIS_PASSWORD
sentinel sentinel-pass $REDIS_PASSWORD
sentinel auth-pass fireside $REDIS_PASSWORD
END
} > "$file.new"
mv "$file.new" "$file"
exec redis-server "$file" --sentinel "$@"
