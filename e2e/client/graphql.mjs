// An application with urql and its normalised cache: pages by cursors, rows by global ids, writes, errors, the schema.
// What it needs comes as JSON in the first argument: { url, key, serviceKey }. What it saw goes to standard output as JSON.
import { Client, fetchExchange, gql } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
import { buildClientSchema, getIntrospectionQuery, parse, validate, validateSchema } from 'graphql'

// The cache's advice to developers would stand in what the test reads.
console.warn = () => {}

const { url, key, serviceKey } = JSON.parse(process.argv[2])
const seen = {}
let requests = 0

const client = (apikey) =>
  new Client({
    url: `${url}/graphql/v1`,
    preferGetMethod: false,
    fetchOptions: { headers: { apikey, Authorization: `Bearer ${apikey}` } },
    fetch: (...all) => {
      requests++
      return fetch(...all)
    },
    exchanges: [
      cacheExchange({
        keys: {
          Book: (book) => book.nodeId,
          Author: (author) => author.nodeId,
          BookEdge: () => null,
          BookConnection: () => null,
          BookInsertResponse: () => null,
          BookUpdateResponse: () => null,
          BookDeleteResponse: () => null,
          PageInfo: () => null,
        },
        resolvers: { Query: { bookCollection: relayPagination() } },
      }),
      fetchExchange,
    ],
  })

const admin = client(serviceKey)
const anyone = client(key)
const needed = ({ data, error }) => {
  if (error) throw new Error(error.message)
  return data
}

const INSERT = gql`
  mutation ($books: [BookInsertInput!]!) {
    insertIntoBookCollection(objects: $books) {
      affectedCount
      records {
        nodeId
        id
      }
    }
  }
`
const books = Array.from({ length: 7 }, (_, i) => ({ id: i + 1, title: `Book ${i + 1}`, authorId: 1 + (i % 2) }))
seen.inserted = needed(await admin.mutation(INSERT, { books })).insertIntoBookCollection.affectedCount

const PAGE = gql`
  query ($after: Cursor) {
    bookCollection(first: 3, after: $after, orderBy: [{ title: DescNullsLast }]) {
      edges {
        cursor
        node {
          nodeId
          title
          author {
            nodeId
            name
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`
seen.pages = []
let after = null
do {
  const page = needed(await anyone.query(PAGE, { after })).bookCollection
  seen.pages.push(page.edges.length)
  seen.titles = page.edges.map((edge) => edge.node.title)
  after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
} while (after)

// The row is in the cache under its id: a write changes what a query shows, without a request.
const nodeId = btoa('["public", "book", 7]')
const TITLE = gql`
  query ($nodeId: ID!) {
    node(nodeId: $nodeId) {
      nodeId
      ... on Book {
        title
      }
    }
  }
`
seen.before = needed(await admin.query(TITLE, { nodeId })).node.title
const RENAME = gql`
  mutation {
    updateBookCollection(set: { title: "Renamed" }, filter: { id: { eq: 7 } }) {
      records {
        nodeId
        title
      }
    }
  }
`
needed(await admin.mutation(RENAME, {}))
const sent = requests
seen.after = needed(await admin.query(TITLE, { nodeId })).node.title
seen.fromCache = requests === sent

const DELETE = gql`
  mutation {
    deleteFromBookCollection(atMost: 10) {
      affectedCount
    }
  }
`
seen.deletedByAnyone = needed(await anyone.mutation(DELETE, {})).deleteFromBookCollection.affectedCount
const UNKNOWN = gql`
  {
    bookCollection {
      edges {
        node {
          isbn
        }
      }
    }
  }
`
seen.unknown = (await anyone.query(UNKNOWN, {})).error?.message

const answer = await fetch(`${url}/graphql/v1`, {
  method: 'POST',
  headers: { apikey: key, 'Content-Type': 'application/json' },
  body: JSON.stringify({ query: getIntrospectionQuery() }),
})
const schema = buildClientSchema((await answer.json()).data)
seen.schemaErrors = validateSchema(schema).map((error) => error.message)
seen.validPage = validate(schema, PAGE).map((error) => error.message)
seen.invalid = validate(schema, parse('{ bookCollection { nope } }')).length
seen.mutations = Object.keys(schema.getMutationType()?.getFields() ?? {}).length

process.stdout.write(JSON.stringify(seen))
