// The yardstick: the least that Fastify and PostgreSQL can do for the same write and read. Run as a child:
//   node bench/yardstick-bare-fastify.ts <port> <socket folder> <connections>
import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

const [port, host, connections] = process.argv.slice(2)
const pool = new pg.Pool({ host: host ?? '', user: 'parley', database: 'postgres', max: Number(connections) })
// The same columns and indexes, so that the database does the same work.
await pool.query('CREATE TABLE IF NOT EXISTS yardstick_agents (LIKE agents INCLUDING ALL)')

const workspaceId = randomUUID()
const app = Fastify()

app.post<{ Body: { agent_config: object } }>('/agents', async (request, reply) => {
  const agentId = randomUUID()
  await pool.query({
    name: 'insert',
    text: 'INSERT INTO yardstick_agents (agent_id, workspace_id, status, config) VALUES ($1, $2, $3, $4)',
    values: [agentId, workspaceId, 'active', JSON.stringify(request.body.agent_config)],
  })
  reply.code(201)
  return { agent_id: agentId }
})

app.get<{ Params: { id: string } }>('/agents/:id', async (request) => {
  const { rows } = await pool.query({
    name: 'select',
    text: 'SELECT agent_id, status, config, created_at, updated_at FROM yardstick_agents WHERE agent_id = $1 AND workspace_id = $2',
    values: [request.params.id, workspaceId],
  })
  return rows[0]
})

app.get('/healthz', async () => ({ status: 'ok' }))

process.on('SIGTERM', async () => {
  await app.close()
  await pool.end()
  process.exit(0)
})
await app.listen({ host: '127.0.0.1', port: Number(port) })
