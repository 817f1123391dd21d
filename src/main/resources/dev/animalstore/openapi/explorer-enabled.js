// Swagger UI can disable "Try it out" by HTTP method only, and does not support x-explorer-enabled. This plugin disables it for each
// operation with `x-explorer-enabled: false` in the OpenAPI document, and says so. It also folds the sections of the document's description, so
// that the page opens on the operations.
//
// application.properties adds this file to the page of Swagger UI.
const SECTION = "\n\n## ";

const ExplorerEnabled = ({ React: { createElement }, getComponent }) => ({
    statePlugins: {
        spec: {
            wrapSelectors: {
                allowTryItOutFor: (allowed, system) => (state, path, method) =>
                    allowed(state, path, method)
                    && system.specSelectors.specJson().getIn(["paths", path, method, "x-explorer-enabled"]) !== false,
                selectInfoDescriptionField: whole => (...state) => whole(...state)?.split(SECTION)[0],
            },
        },
    },
    wrapComponents: {
        InfoContainer: (Info, { specSelectors }) => properties => {
            const sections = (specSelectors.info().get("description") ?? "").split(SECTION).slice(1);
            return createElement("div", null,
                createElement(Info, properties),
                sections.length > 0 && createElement("details", { className: "info" },
                    createElement("summary", null, sections.map(section => section.split("\n")[0]).join(", ")),
                    createElement(getComponent("Markdown", true), { source: SECTION + sections.join(SECTION) })));
        },
        parameters: Parameters => properties => createElement("div", null,
            !properties.allowTryItOut && createElement("div", { className: "opblock-section-header" },
                createElement("h4", null, "Cannot be tried out here: its API description says x-explorer-enabled: false."),
                createElement("button", { className: "btn try-out__btn", disabled: true }, "Try it out")),
            createElement(Parameters, properties)),
    },
});
