package dev.animalstore.protocol;

/** Rules of 7b6861d that are known to be wrong, in place of those of the protocols: only as far as a search needs them to find it. */
final class FormerRules {
    private FormerRules() {}

    static Protocol of(Scenario scenario) {
        return scenario.key.isEmpty() ? new Lists(scenario) : new Keys(scenario);
    }

    /** Each replica announces late what others could not, and Redis confirms a copy for another 30 s. */
    private static final class Keys extends KeyProtocol {
        Keys(Scenario scenario) {
            super(scenario, 2, 1, 2, null);
        }

        @Override
        void looks(int r) {
            step("LateAnnouncements", r, () -> s[looked + r] > 0, () -> {
                s[looked + r] = 0;
                announce(r, works(r, true) ? s[version + s[row]] : 0);
            });
        }

        @Override
        void admit(int q, int r) {
            boolean due = s[copyAge + r] > BOUND;
            super.admit(q, r);
            if (due) {
                forget(r); // It decides once more, and is read again in the background.
            }
        }

        @Override
        void decided(int q, int r) {
            s[copyAge + r] = s[copy + r] == s[held + q] ? 0 : s[copyAge + r];
            super.decided(q, r);
        }

        @Override
        boolean isRecent(int r) {
            return s[copyAge + r] <= BOUND;
        }

        @Override
        boolean ageMatters() {
            return true;
        }
    }

    /** A failure voids the pages from before, but the version is trusted at once. */
    private static final class Lists extends ListProtocol {
        Lists(Scenario scenario) {
            super(scenario, 2, 2, 1, null);
        }

        @Override
        void endTrust(int r) {
            drop(r);
        }

        @Override
        void announcementFails(int a, int r) {
            drop(r);
            super.announcementFails(a, r);
        }

        @Override
        void probe(int r, boolean works) {
            drop(r); // Also after a failure; other probes that succeed are not modelled.
            super.probe(r, works);
        }
    }
}
