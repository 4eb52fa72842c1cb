# What Sentinel knows, for the scripts of Redis and Sentinel. Environment: SENTINELS, REDIS_HOSTS, REDISCLI_AUTH.

ask_sentinel() { # host, command…: does not wait for one that is away
  host=$1
  shift
  timeout 2 redis-cli -h "$host" -p 26379 "$@" 2> /dev/null
}

# Prints the Redis that more than half of the processes of Sentinel name as the primary; fails if there is none.
named_primary() {
  majority=$(($(echo "$SENTINELS" | wc -w) / 2 + 1))
  for sentinel in $SENTINELS; do
    ask_sentinel "$sentinel" sentinel get-master-addr-by-name fireside | head -n 1
  done | grep -xF "$(echo "$REDIS_HOSTS" | tr ' ' '\n')" | sort | uniq -c | awk -v majority="$majority" \
    '$1 >= majority { print $2; found = 1 } END { exit !found }'
}
