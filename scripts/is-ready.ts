// The health check of the image: 0 if the service of this container is ready, 1 if it is not or says nothing.
const url = `http://127.0.0.1:${process.env.PORT ?? 8080}/readyz`
const isReady = await fetch(url).then(
  ({ ok }) => ok,
  () => false,
)
process.exit(isReady ? 0 : 1)
