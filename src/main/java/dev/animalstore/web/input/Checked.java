package dev.animalstore.web.input;

import java.util.Map;
import java.util.Set;

/** A record that is also checked as a whole, beyond the constraints of each member. Invalid members are {@code null} meanwhile. */
public interface Checked {
    /**
     * The reason for each member that does not go with the others, or with what is stored.
     *
     * @param sent the names of the members that were sent, valid or not
     */
    Map<String, String> reasons(Set<String> sent);
}
