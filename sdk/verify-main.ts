import process from 'node:process'
import { verifyArguments, verifyCommand } from './src/verify-command.ts'

// `/verify/verify.mjs` is this file and what it imports, bundled.
const code = await verifyCommand(process.argv.slice(2), console.log)
if (code === null) console.error(`usage: node verify.mjs ${verifyArguments}`)
process.exitCode = code ?? 2
