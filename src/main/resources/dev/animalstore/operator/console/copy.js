// The buttons that copy a text, such as a new key. Without this script there are none, and texts are copied manually.
"use strict";
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
        // A browser may cache a page, to show it again after "back".
        addEventListener("pagehide", () => { text.textContent = "It was shown once."; button.remove(); });
    }
}
