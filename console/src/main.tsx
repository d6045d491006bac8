import './design/tokens.css'
import './design/base.css'
import './design/page-notice.css'
import './design/skeleton.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { session } from './api/session.ts'
import { App } from './app.tsx'
import { startI18n } from './i18n/i18n.ts'
import { loadWords } from './i18n/words.ts'
import { paths } from './installation.ts'
import { pageOf, warm } from './pages/pages.ts'

// In parallel: the session, the words and the requested page.
const ready = Promise.all([session.refresh(), startI18n(loadWords)])
warm(pageOf(location.pathname.slice(paths.console.length)))
// Until then the frame in index.html is shown, which is what the application would draw. Not awaited at the top level: pages are
// bundled apart from this module and import its file, so they would wait for themselves.
void ready.then(() => {
  const root = createRoot(document.getElementById('root')!)
  // As a transition React renders in small slices, so that the page stays responsive.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
})
