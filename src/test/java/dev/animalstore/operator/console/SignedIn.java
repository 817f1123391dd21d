package dev.animalstore.operator.console;

import dev.animalstore.fixture.Visitor;
import org.junit.jupiter.api.BeforeEach;

abstract class SignedIn {
    Visitor visitor;

    @BeforeEach
    void signIn() {
        visitor = Visitor.signIn();
    }
}
