import pg from 'pg'

/** Stands in for psql where PostgreSQL is not installed: `psql [-At]c SQL`, with libpq's variables. */
const option = process.argv.findIndex((argument) => /^-[A-Za-z]*c$/.test(argument))
const client = new pg.Client({ types: { getTypeParser: () => (text: string) => text } })
try {
  await client.connect()
  const { rows } = await client.query({ text: process.argv[option + 1]!, rowMode: 'array' })
  for (const row of rows as (string | null)[][]) console.log(row.map((value) => value ?? '').join('|'))
} catch (error) {
  console.error(`psql: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  await client.end().catch(() => {})
}
