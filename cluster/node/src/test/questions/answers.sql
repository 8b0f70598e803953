-- 01: How many packets and bytes?
select count(*) packets, sum(bytes) bytes from p
-- 02: How many each ten seconds?
select utc(ts/10000000000*10000000000) window_start, count(*) packets, sum(bytes) bytes from p group by ts/10000000000*10000000000
-- 03: Which second was the busiest?
select utc(s*1000000000) second, n packets from (select ts/1000000000 s, count(*) n from p group by 1) order by n desc, s limit 1
-- 04: How many bits a second at the peak?
select max(b) peak from (select sum(bytes)*8 b from p group by ts/1000000000)
-- 05: How many hosts send?
select count(distinct src_addr) hosts from p
-- 06: How much is IPv6?
select case when instr(src_addr,':') then 6 else 4 end family, count(*) packets, sum(bytes) bytes from p group by 1
-- 07: Which VLANs carry traffic?
select vlan_id, count(*) packets, sum(bytes) bytes from p group by 1
-- 08: How large are the packets?
select bytes/256*256 from_bytes, count(*) packets from p group by bytes/256
-- 09: Who sends the most?
select src_addr, sum(bytes) bytes from p group by 1 order by 2 desc limit 5
-- 10: Who receives the most?
select dst_addr, sum(bytes) bytes from p group by 1 order by 2 desc limit 5
-- 11: Which pairs talk the most?
select src_addr, dst_addr, sum(bytes) bytes from p group by 1,2 order by 3 desc limit 5
-- 12: How much does each host send and receive together?
select h host, sum(n) packets from (select src_addr h, count(*) n from p group by 1 union all select dst_addr, count(*) from p group by 1) group by 1 having sum(n)>1000
-- 13: Who sends more than it gets, minute by minute?
with s as (select ts/60000000000 w, src_addr h, sum(bytes) b from p group by 1,2), g as (select ts/60000000000 w, dst_addr h, sum(bytes) b from p group by 1,2)
select utc(s.w*60000000000) window_start, s.h host, s.b bytes, g.b received from s join g on s.w=g.w and s.h=g.h where s.b>2*g.b
-- 14: Who is sent to and never answers, in a minute?
with s as (select ts/60000000000 w, src_addr h from p group by 1,2), g as (select ts/60000000000 w, dst_addr h, count(*) n from p group by 1,2)
select utc(g.w*60000000000) window_start, g.h host, g.n n from g where n>5 and not exists (select 1 from s where s.w=g.w and s.h=g.h)
-- 15: Which networks send?
select net(src_addr) net, count(*) packets from p group by 1 having count(*)>100
-- 16: Which hosts are behind which MAC address?
select src_mac, count(distinct src_addr) hosts from p group by 1 having hosts>2
-- 17: Does an address have two MAC addresses?
select src_addr, count(distinct src_mac) macs from p group by 1 having macs>1
-- 18: Who sends to multicast groups?
select src_addr, dst_addr, count(*) packets from p where multi(dst_addr) group by 1,2 having count(*)>1
-- 19: Which share of the traffic is each protocol's?
with w as (select ts/60000000000 w, proto, count(*) n from p group by 1,2)
select utc(w*60000000000) window_start, case proto when 1 then 'ICMP' when 6 then 'TCP' when 17 then 'UDP' when 58 then 'IPv6-ICMP' end protocol, n, round(n*100.0/sum(n) over (partition by w),2) percent from w
-- 20: Which services are used?
select case dst_port when 22 then 'ssh' when 53 then 'domain' when 80 then 'http' when 443 then 'https' when 445 then 'microsoft-ds' end service, count(*) packets from p where proto in (6,17) and dst_port in (22,53,80,443,445) group by dst_port, proto
-- 21: Which hosts serve HTTP, and to how many?
select dst_addr, count(distinct src_addr) clients from p where proto=6 and dst_port=80 group by 1 having clients>1
-- 22: Who asks which DNS server?
select src_addr, dst_addr, count(*) questions from p where dst_port=53 and proto=17 group by 1,2
-- 23: Who asks another DNS server than ours?
select src_addr, dst_addr, count(*) packets from p where dst_port=53 and dst_addr not in ('10.20.0.53','fd20:20:0:1::53') group by 1,2
-- 24: Which three ports does each host send to the most?
select src_addr, dst_port, n from (select *, row_number() over (partition by src_addr order by n desc, dst_port) r from (select src_addr, dst_port, count(*) n from p where proto=6 and dst_port<1024 group by 1,2 having n>50)) where r<=3
-- 25: Which DSCP classes are used?
select ip_tos>>2 dscp, count(*) packets from p group by 1
-- 26: Which ICMP messages are there?
select proto, icmp_type, icmp_code, count(*) packets from p where proto in (1,58) and fragment_offset=0 group by 1,2,3
-- 27: Who gets 'time exceeded' or 'unreachable'?
select dst_addr, icmp_type, count(*) packets from p where proto=1 and icmp_type in (3,11) group by 1,2
-- 28: Who sends fragments?
select src_addr, count(*) fragments from p where fragment_offset>0 group by 1
-- 29: Who opens the most connections?
select src_addr, count(*) syns from p where proto=6 and tcp_flags&18=2 group by 1 having syns>50
-- 30: How many does each server accept?
select src_addr, count(*) accepted from p where proto=6 and tcp_flags&18=18 group by 1
-- 31: Which hosts refuse connections?
select src_addr, count(*) resets from p where proto=6 and tcp_flags&4=4 group by 1 having resets>20
-- 32: Which hosts have more SYNs than they answer?
select case when tcp_flags&16=0 then dst_addr else src_addr end host, sum(tcp_flags&16=0) syns, sum(tcp_flags&16=16) answers from p where proto=6 and tcp_flags&2=2 group by 1 having syns>10+answers
-- 33: Which flows are the largest?
select src_addr, dst_addr, src_port, dst_port, sum(bytes) bytes from p group by 1,2,3,4,proto order by bytes desc limit 3
-- 34: How many flows are there, and how many elephants?
select count(*) flows, sum(b>100000) elephants from (select sum(bytes) b from p group by src_addr,dst_addr,src_port,dst_port,proto)
-- 35: Which flows last longest?
select src_addr, dst_addr, dst_port, utc(min(ts)) time_flow_start from p group by src_addr,dst_addr,src_port,dst_port,proto having max(ts)-min(ts)>8000000000 and proto=6
-- 36: Which connections had every flag of a whole one?
select count(*) whole from (select (max(tcp_flags&1)+max(tcp_flags&2)+max(tcp_flags&16)) f from p where proto=6 group by src_addr,dst_addr,src_port,dst_port) where f=19
-- 37: Who scans ports?
select src_addr, count(distinct dst_port) ports from p where proto=6 and tcp_flags&18=2 group by 1 having ports>50
-- 38: Who tries many hosts?
select src_addr, count(distinct dst_addr) hosts from p where proto=6 and tcp_flags&18=2 group by 1 having hosts>50
-- 39: Which host is reached from many at a time?
select utc(ts/10000000000*10000000000) window_start, dst_addr, count(distinct src_addr) sources from p group by ts/10000000000*10000000000, dst_addr having sources>40
-- 40: Where are SSH passwords guessed?
select dst_addr, count(*) attempts, count(distinct src_addr) hosts from p where proto=6 and dst_port=22 and tcp_flags&18=2 group by 1 having attempts>5
-- 41: Whose packets are near the end of their TTL?
select src_addr, min(ip_ttl) ttl, count(*) packets from p where ip_ttl<5 and not instr(src_addr,':') group by 1
-- 42: Which talkers are on a list?
select src_addr, count(*) packets from p where src_addr in ('10.20.16.66','fd20:20:0:2::66') group by 1
-- 43: What does the list say of them?
select case src_addr when '10.20.16.66' then 'scanner' else 'scanner6' end name, sum(bytes) bytes from p where src_addr in ('10.20.16.66','fd20:20:0:2::66') group by 1
-- 44: How much more than in the window before?
select utc(w) window_start, n, n-lag(n,1,0) over (order by w) more from (select ts/10000000000*10000000000 w, count(*) n from p group by 1)
-- 45: Which windows are three times the ones before?
select utc(w*1000000000) window_start, n, b baseline from (select w, n, avg(n) over (order by w rows between 5 preceding and 1 preceding) b from (select ts/1000000000 w, count(*) n from p group by 1)) where n>3*b
-- 46: How regular are the packets of SSH connections?
select src_addr, src_port, max(d) longest_ns from (select *, ts-lag(ts) over (partition by src_addr,dst_addr,src_port,dst_port order by rowid) d from p where proto=6 and dst_port=22) group by src_addr,dst_addr,src_port,dst_port having count(*)>12
-- 47: How much do packet sizes vary?
select proto, avg(bytes) mean, sqrt(avg(1.0*bytes*bytes)-avg(bytes)*avg(bytes)) deviation from p group by 1
-- 48: How long is the longest silence of a connection?
select count(*) flows from (select sum(d>1000000000) s from (select *, ts-lag(ts) over (partition by src_addr,dst_addr,src_port,dst_port order by rowid) d from p where proto=6) group by src_addr,dst_addr,src_port,dst_port) where s>0
-- 49: How evenly is the traffic spread over senders?
select count(*) hosts, max(n) most, sum(n) packets from (select count(*) n from p group by src_addr)
-- 50: What happened minute by minute?
select utc(ts/60000000000*60000000000) minute, count(*) packets, sum(proto=6 and tcp_flags&18=2) syns from p group by 1
