import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Compresses each file once, as well as possible, so that the gateway never has to. */
export async function packFiles(directory: string): Promise<void> {
  await Promise.all(
    readdirSync(directory)
      .filter((name) => /\.(js|css|svg)$/.test(name))
      .map(async (name) => {
        const bytes = readFileSync(join(directory, name))
        const [br, gz] = await Promise.all([
          promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
          promisify(gzip)(bytes, { level: 9 }),
        ])
        writeFileSync(join(directory, `${name}.br`), br)
        writeFileSync(join(directory, `${name}.gz`), gz)
      }),
  )
}
