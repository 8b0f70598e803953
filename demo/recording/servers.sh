# The servers: nginx, sshd and dnsmasq, each in its namespace. Sourced by record.sh.

start_servers() {
    start_nginx
    start_sshd
    start_dnsmasq
    wait_for_port web 80
    wait_for_port ssh 22
    wait_for_port dns 53
}

# wait_for_port <namespace> <TCP port>: asks the kernel's table, so that no probe is captured.
wait_for_port() {
    local tries=0
    until [[ -n $(in_ns "$1" ss -Htln "sport = :$2") ]]; do
        (( ++tries < 50 )) || fail "nothing listens on port $2 of $1 after 5 s"
        sleep 0.1
    done
}

start_nginx() {
    local root=$scratch/www
    mkdir -p "$root" "$scratch/nginx"
    printf 'Weir measures the river.\n' > "$root/index.html"
    head -c 8000 /dev/zero | tr '\0' 'w' > "$root/page"
    head -c 150000 /dev/zero | tr '\0' 'w' > "$root/image"
    cat > "$scratch/nginx.conf" << CONF
user root;
daemon off;
worker_processes 1;
pid $scratch/nginx.pid;
error_log $scratch/nginx.log;
events { worker_connections 1024; }
http {
    access_log off;
    client_body_temp_path $scratch/nginx/body;
    proxy_temp_path $scratch/nginx/proxy;
    fastcgi_temp_path $scratch/nginx/fastcgi;
    uwsgi_temp_path $scratch/nginx/uwsgi;
    scgi_temp_path $scratch/nginx/scgi;
    server {
        listen 80;
        listen [::]:80;
        root $root;
    }
}
CONF
    # One retry of an unanswered SYN-ACK instead of five keeps the flood's echo short.
    in_ns web sysctl -q -w net.ipv4.tcp_synack_retries=1
    start_in web nginx -e "$scratch/nginx.log" -c "$scratch/nginx.conf"
}

# sshd sees its own passwd and shadow, with one user "demo" who has only a key; the machine's
# accounts and its log of failed log-ins stay out of it. MaxStartups lets a whole wave in.
start_sshd() {
    ssh-keygen -q -t ed25519 -N '' -f "$scratch/host_key"
    ssh-keygen -q -t ed25519 -N '' -f "$scratch/demo_key"
    { grep -E '^(root|sshd):' /etc/passwd; echo 'demo:x:65534:65534::/:/bin/sh'; } \
        > "$scratch/passwd"
    printf '%s:*:19000:0:99999:7:::\n' root sshd demo > "$scratch/shadow"
    : > "$scratch/btmp"
    cat > "$scratch/sshd_config" << CONF
HostKey $scratch/host_key
AuthorizedKeysFile $scratch/demo_key.pub
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication yes
KbdInteractiveAuthentication no
MaxStartups 500
UseDNS no
CONF
    # demo (not root) reads its authorized key; the private halves keep their mode 600.
    chmod 711 "$scratch"
    start_in ssh bash -c '
        mount --bind "$1/passwd" /etc/passwd
        mount --bind "$1/shadow" /etc/shadow
        [[ ! -e /var/log/btmp ]] || mount --bind "$1/btmp" /var/log/btmp
        mount -t tmpfs tmpfs /run
        mkdir /run/sshd
        exec /usr/sbin/sshd -D -e -f "$1/sshd_config"
    ' sshd "$scratch" 2> "$scratch/sshd.log"
}

# "large" is a TXT answer over 1,500 bytes, so that UDP leaves in fragments.
start_dnsmasq() {
    local text
    text=$(printf 'weir%.0s' {1..60})
    start_in dns dnsmasq --keep-in-foreground --conf-file=/dev/null --pid-file= --user=root \
        --no-resolv --no-hosts --no-daemon --edns-packet-max=4096 --local=/demo.test/ \
        --host-record=web.demo.test,10.20.0.10,fd20:20:0:1::10 \
        --host-record=ssh.demo.test,10.20.0.22,fd20:20:0:1::22 \
        --mx-host=demo.test,web.demo.test,10 \
        --txt-record="large.demo.test,$text,$text,$text,$text,$text,$text,$text,$text,$text,$text" \
        2> "$scratch/dnsmasq.log"
}
