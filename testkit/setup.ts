// Vitest runs this before each file, and what it imports once for each process.
import './store/reuse-threads.ts'
