import { openSqlite } from '../../src/storage/sqlite/sqlite-engine.ts'

/** A process to be killed: commits one row, leaves another uncommitted, says so, and waits. */
const file = process.argv[2]!
const quiet = { info() {}, warn() {}, error() {} }
const engine = await openSqlite({ file, exclusive: true, logger: quiet })
await engine.write((tx) => tx.run("INSERT INTO counters (name, value) VALUES ('kept', 1)"))
void engine.write(async (tx) => {
  await tx.run("INSERT INTO counters (name, value) VALUES ('half', 1)")
  process.stdout.write('holding\n')
  await new Promise(() => setInterval(() => {}, 1000))
})
