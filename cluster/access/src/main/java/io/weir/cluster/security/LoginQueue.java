package io.weir.cluster.security;

import io.weir.operators.time.Clock;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides whose password is hashed next. Hashing is slow on purpose and keeps one thread busy. So
 * addresses take turns, and within an address the name with the fewest recent wrong passwords goes
 * first. The waiting logins of each name, of each address and of all have a bound. Beyond it a
 * login must come again later; names and addresses that ask too much are refused first.
 * Thread-safe.
 */
final class LoginQueue {
    static final int MOST_OF_LOGIN = 4;
    static final int MOST_OF_ADDRESS = 32;
    static final int MOST_WAITING = 128;
    private static final int MOST_REMEMBERED = 4_096;

    /** Wrong passwords count half after each of these. */
    private static final double HALF_LIFE_NS = 60e9;

    private final Clock clock;

    /** The waiting logins by address. The address with the next turn is first. */
    private final Map<String, Deque<Ticket>> waiting = new LinkedHashMap<>();

    private final Map<Login, Standing> standings =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Login, Standing> eldest) {
                    return size() > MOST_REMEMBERED;
                }
            };

    private boolean hashing;
    private int count;

    private record Login(String address, String name) {}

    /**
     * The record of a login.
     *
     * @param failures recent wrong passwords; below 0 if the last password was right
     */
    private record Standing(double failures, long atNs) {}

    /** A waiting login. Guarded by the queue. */
    private static final class Ticket {
        private final Login login;
        private final double failures;
        private boolean isCalled;
        private boolean isRefused;

        Ticket(Login login, double failures) {
            this.login = login;
            this.failures = failures;
        }
    }

    LoginQueue(Clock clock) {
        this.clock = clock;
    }

    /** Returns when it is this login's turn; {@link #leave} ends the turn. */
    synchronized void enter(String address, String name) throws Busy {
        Login login = new Login(address, name);
        Ticket ticket = new Ticket(login, failures(login));
        admit(ticket);
        call();
        try {
            while (!ticket.isCalled && !ticket.isRefused) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            give(ticket);
            throw new Busy();
        }
        if (ticket.isRefused) {
            throw new Busy();
        }
    }

    /** Ends the turn of a login. */
    synchronized void leave(String address, String name, boolean right) {
        Login login = new Login(address, name);
        double failures = right ? -1 : Math.max(0, failures(login)) + 1;
        standings.put(login, new Standing(failures, clock.nanos()));
        hashing = false;
        call();
    }

    /** Returns the number of waiting logins. */
    synchronized int waiting() {
        return count;
    }

    private double failures(Login login) {
        Standing standing = standings.get(login);
        if (standing == null || standing.failures() < 0) {
            return standing == null ? 0 : standing.failures();
        }
        double halves = (clock.nanos() - standing.atNs()) / HALF_LIFE_NS;
        return standing.failures() * Math.pow(0.5, halves);
    }

    /** Admits a ticket, if necessary in place of one with a lower claim. */
    private void admit(Ticket ticket) throws Busy {
        Deque<Ticket> ours =
                waiting.computeIfAbsent(ticket.login.address(), address -> new ArrayDeque<>());
        long same = ours.stream().filter(t -> t.login.equals(ticket.login)).count();
        if (same >= MOST_OF_LOGIN) {
            throw new Busy();
        } else if (ours.size() >= MOST_OF_ADDRESS) {
            refuseWorst(ours, ticket.failures);
        } else if (count >= MOST_WAITING) {
            refuseOfLargest(ours);
        }
        ours.add(ticket);
        count++;
    }

    private void refuseWorst(Deque<Ticket> tickets, double better) throws Busy {
        Optional<Ticket> worst =
                tickets.stream()
                        .max(Comparator.comparingDouble(t -> t.failures))
                        .filter(t -> t.failures > better);
        give(worst.orElseThrow(Busy::new));
    }

    private void refuseOfLargest(Deque<Ticket> ours) throws Busy {
        Deque<Ticket> largest =
                waiting.values().stream().max(Comparator.comparingInt(Deque::size)).orElseThrow();
        if (largest.size() <= ours.size() + 1) {
            throw new Busy();
        }
        refuseWorst(largest, Double.NEGATIVE_INFINITY);
    }

    /** Removes a ticket from its place, with or without a turn. */
    private void give(Ticket ticket) {
        if (ticket.isCalled) {
            hashing = false;
            call();
        } else if (!ticket.isRefused) {
            ticket.isRefused = true;
            remove(ticket);
            notifyAll();
        }
    }

    private void remove(Ticket ticket) {
        String address = ticket.login.address();
        Deque<Ticket> tickets = waiting.get(address);
        tickets.remove(ticket);
        count--;
        if (tickets.isEmpty()) {
            waiting.remove(address);
        }
    }

    private void call() {
        waiting.values().removeIf(Deque::isEmpty);
        if (hashing || waiting.isEmpty()) {
            return;
        }
        String address = waiting.keySet().iterator().next();
        Deque<Ticket> tickets = waiting.remove(address);
        waiting.put(address, tickets);
        Ticket next =
                tickets.stream().min(Comparator.comparingDouble(t -> t.failures)).orElseThrow();
        next.isCalled = true;
        hashing = true;
        remove(next);
        notifyAll();
    }
}
