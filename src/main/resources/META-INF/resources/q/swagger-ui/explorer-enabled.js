// Swagger UI can withhold "Try it out" by HTTP method only, and knows nothing of x-explorer-enabled. This plugin withholds it from each
// operation for which the API document says `x-explorer-enabled: false`.
//
// Quarkus serves this file next to the page of Swagger UI because of the folder it is in; application.properties names it there.
const ExplorerEnabled = () => ({
    statePlugins: {
        spec: {
            wrapSelectors: {
                allowTryItOutFor: (allowed, system) => (state, path, method) =>
                    allowed(state, path, method)
                    && system.specSelectors.specJson().getIn(["paths", path, method, "x-explorer-enabled"]) !== false,
            },
        },
    },
});
