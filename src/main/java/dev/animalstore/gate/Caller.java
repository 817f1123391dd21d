package dev.animalstore.gate;

import dev.animalstore.key.KnownKey;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;

/** Who sent an admitted request: a principal whose name is the key's identifier. Other packages learn of the key no more than that. */
record Caller(KnownKey key, boolean isSecure) implements SecurityContext {
    @Override
    public Principal getUserPrincipal() {
        return () -> Long.toString(key.id());
    }

    @Override
    public boolean isUserInRole(String role) {
        return false;
    }

    @Override
    public String getAuthenticationScheme() {
        return "Bearer";
    }
}
