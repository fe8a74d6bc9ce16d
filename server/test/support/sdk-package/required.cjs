const scenario = require('./scenario.cjs')

scenario({
  sdk: require('@parley/sdk'),
  webhooks: require('@parley/sdk/webhooks'),
  listen: require('@parley/sdk/listen'),
})
