// Without this script there are no buttons that copy, and the rest works.
"use strict";

// A browser may keep a page in memory, to show it again after "back", although the session has ended meanwhile: it is hidden then, and loaded anew.
addEventListener("pagehide", () => { document.body.hidden = true; });
addEventListener("pageshow", event => {
    if (event.persisted) {
        location.reload();
    }
});

// The buttons that copy a text, such as a new key.
for (const button of document.querySelectorAll("[data-copies]")) {
    const text = document.getElementById(button.dataset.copies);
    const said = document.getElementById("copied");
    if (navigator.clipboard) {
        const say = (label, status) => { button.textContent = label; said.textContent = status; };
        button.hidden = false;
        button.addEventListener("click", () => navigator.clipboard.writeText(text.textContent).then(
            () => {
                say("Copied", "Copied.");
                setTimeout(say, 2000, "Copy", "");
            },
            () => say("Copy manually", "The browser did not allow it. Select and copy the text manually.")));
    }
    if ("once" in text.dataset) {
        addEventListener("pagehide", () => { text.textContent = "It was shown once."; button.remove(); });
    }
}
