// Images, audio and files that an agent or a person attached. Nothing is fetched from other origins.
import { escapeInvisible, type ContentBlock } from '@quayside/protocol'
import { Icon } from '../../shared/controls/icon.js'
import { strings } from '../../strings/strings.js'
import { isOwnPicture } from '../markdown/address.js'
import { Zoom } from '../markdown/zoom.js'
import { Output } from './output.js'

const words = strings.session

/** A content block that is not plain text; `alt` describes an image. */
export function Media({ block, alt }: { block: ContentBlock; alt: string }) {
  switch (block.type) {
    case 'image':
      return <Picture source={pictureOf(block)} alt={alt} />
    case 'audio':
      return (
        <p className="line">
          <Icon name="file" size={14} />
          {words.audio} ({escapeInvisible(block.mimeType)})
        </p>
      )
    case 'resource_link':
      return <FileChip name={block.title ?? block.name} address={block.uri} />
    case 'resource':
      return (
        <div className="card resource">
          <FileChip name={block.resource.uri} address={block.resource.uri} />
          {block.resource.text !== undefined && <Output text={block.resource.text} />}
        </div>
      )
    case 'text':
      return <Output text={block.text} />
    default:
      return <p className="line">{words.cannotShow(escapeInvisible(String(typeOf(block))))}</p>
  }
}

function Picture({ source, alt }: { source: string | undefined; alt: string }) {
  if (source === undefined)
    return (
      <p className="line">
        <Icon name="image" size={14} />
        {words.cannotShow('image')}
      </p>
    )
  return <Zoom source={source} alt={alt} />
}

function FileChip({ name, address }: { name: string; address: string }) {
  return (
    <span className="file-chip" title={escapeInvisible(address)}>
      <Icon name="file" size={14} />
      <span dir="ltr">{escapeInvisible(name)}</span>
    </span>
  )
}

function pictureOf(block: Extract<ContentBlock, { type: 'image' }>): string | undefined {
  const { uri, data, mimeType } = block
  const source = uri?.startsWith('/media/') ? uri : `data:${mimeType};base64,${data ?? ''}`
  return isOwnPicture(source) ? source : undefined
}

function typeOf(block: never): unknown {
  return (block as { type?: unknown }).type
}
