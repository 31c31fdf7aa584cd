// The page for an unknown address.
import { Link } from '../shared/route.js'
import { useTitle } from '../shared/use-title.js'
import { strings } from '../strings/strings.js'

const words = strings.missing

export function MissingPage() {
  useTitle(`${words.title} · ${strings.appName}`)
  return (
    <div className="home">
      <div className="home-column narrow">
        <h1 className="display">{words.title}</h1>
        <p className="lead">{words.text}</p>
        <Link className="button" href="/">
          {words.action}
        </Link>
      </div>
    </div>
  )
}
