// Schemas of the ACP types that clients send and API responses contain.
// Objects are loose: unknown fields are kept.
import { z } from 'zod'

const meta = { _meta: z.record(z.string(), z.unknown()).nullable().exactOptional() }

export const contentBlockSchema = z.discriminatedUnion(
  'type',
  [
    z.looseObject({
      ...meta,
      type: z.literal('text'),
      text: z.string(),
      annotations: z.unknown().optional(),
    }),
    z.looseObject({
      ...meta,
      type: z.literal('image'),
      mimeType: z.string().min(1),
      data: z.string().exactOptional(),
      uri: z.string().nullable().exactOptional(),
    }),
    z.looseObject({
      ...meta,
      type: z.literal('audio'),
      mimeType: z.string().min(1),
      data: z.string().exactOptional(),
    }),
    z.looseObject({
      ...meta,
      type: z.literal('resource_link'),
      uri: z.string().min(1),
      name: z.string().min(1),
      title: z.string().nullable().exactOptional(),
      mimeType: z.string().nullable().exactOptional(),
      size: z.number().nullable().exactOptional(),
    }),
    z.looseObject({
      ...meta,
      type: z.literal('resource'),
      resource: z.looseObject({
        uri: z.string().min(1),
        text: z.string().exactOptional(),
        blob: z.string().exactOptional(),
        mimeType: z.string().nullable().exactOptional(),
      }),
    }),
  ],
  { error: 'A content block is a text, image, audio, resource_link or resource.' },
)

/** As an agent sent it: only the id is sure. */
export const toolCallFieldsSchema = z.looseObject({ toolCallId: z.string() })

export const permissionOptionSchema = z.looseObject({
  ...meta,
  optionId: z.string(),
  name: z.string(),
  kind: z.string(),
})

export const permissionOutcomeSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('selected'), optionId: z.string() }),
  z.object({ outcome: z.literal('cancelled') }),
])

export const sessionModesSchema = z.looseObject({
  currentModeId: z.string(),
  availableModes: z.array(
    z.looseObject({
      ...meta,
      id: z.string(),
      name: z.string(),
      description: z.string().nullable().exactOptional(),
    }),
  ),
})

export const configOptionSchema = z.looseObject({
  ...meta,
  id: z.string(),
  name: z.string(),
  description: z.string().nullable().exactOptional(),
  category: z.string().nullable().exactOptional(),
  type: z.string(),
  currentValue: z.union([z.string(), z.boolean()]),
  options: z.array(z.unknown()).exactOptional(),
})
