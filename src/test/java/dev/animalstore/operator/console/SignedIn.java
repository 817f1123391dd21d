package dev.animalstore.operator.console;

import dev.animalstore.fixture.Visitor;
import org.junit.jupiter.api.BeforeEach;

/** Tests of an operator who has signed in. */
abstract class SignedIn {
    Visitor visitor;

    @BeforeEach
    void signIn() {
        visitor = Visitor.signIn();
    }
}
