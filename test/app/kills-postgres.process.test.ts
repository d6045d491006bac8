import { test } from 'vitest'
import { startPostgres } from '../../testkit/store/postgres-server.ts'
import { expectKeptPromises } from '../../testkit/storms/expect-kept-promises.ts'

test('two killed gateways keep every promise on PostgreSQL, whose server is killed too', {
  timeout: 300_000,
}, async () => {
  const server = await startPostgres({ fsync: true })
  await expectKeptPromises(server.url, 2, () => server.kill())
  await server.remove()
})
