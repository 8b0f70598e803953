# The programs that the recording runs, and where Debian has them. Sourced by record.sh.

# command:package
tools=(
    ip:iproute2 ethtool:ethtool tcpdump:tcpdump tshark:tshark
    nginx:nginx-light curl:curl sshd:openssh-server ssh:openssh-client sshpass:sshpass
    dnsmasq:dnsmasq-base dig:bind9-dnsutils nmap:nmap hping3:hping3
    slowhttptest:slowhttptest ping:iputils-ping
    python3:python3 sysctl:procps
)

say() {
    printf '%s %s\n' "$(date +%T)" "$*" >&2
}

fail() {
    say "error: $*"
    exit 1
}

install_missing_tools() {
    local tool missing=()
    for tool in "${tools[@]}"; do
        command -v "${tool%%:*}" > /dev/null || missing+=("${tool##*:}")
    done
    if (( ${#missing[@]} > 0 )); then
        say "installing with apt-get: ${missing[*]}"
        install_without_services "${missing[@]}"
    fi
}

# Debian starts a package's daemon when it is installed. Nothing here wants an sshd or nginx
# on the machine's own addresses, so a policy that refuses is in place while apt-get runs.
install_without_services() {
    local policy=/usr/sbin/policy-rc.d ours=no
    if [[ ! -e $policy ]]; then
        printf '#!/bin/sh\nexit 101\n' > "$policy"
        chmod 755 "$policy"
        ours=yes
    fi
    local status=0
    { apt-get update -q &&
        DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
    } >&2 || status=$?
    [[ $ours == no ]] || rm -f "$policy"
    (( status == 0 )) || fail "apt-get could not install: $*"
}
