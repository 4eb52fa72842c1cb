# Readiness: Redis is the primary, or a replica that has what the primary has, which may then be promoted. A changed
# password (NOAUTH, WRONGPASS) must not make the pod unready, which would stop every rollout.
case $(redis-cli info replication) in
  *role:master* | NOAUTH* | WRONGPASS*) ;;
  *master_link_status:up*) redis-cli config set replica-priority 100 > /dev/null ;;
  *) exit 1 ;;
esac
