"""SQLAlchemy by psycopg 3 and by asyncpg: transactions inside of each other, cursors, isolation levels, types and reflection. The argument
is an address; the token is in PGPASSWORD. Prints what each driver saw."""

import asyncio
import json
import sys
import uuid
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import create_async_engine


def model(name):
    metadata = sa.MetaData()
    table = sa.Table(
        name, metadata,
        sa.Column('id', sa.Integer, primary_key=True),
        sa.Column('uid', sa.Uuid, server_default=sa.text('gen_random_uuid()')),
        sa.Column('mood', postgresql.ENUM('sad', 'ok', name=name + '_mood', metadata=metadata)),
        sa.Column('about', postgresql.JSONB), sa.Column('tags', postgresql.ARRAY(sa.Text)),
        sa.Column('price', sa.Numeric(10, 2)), sa.Column('at', sa.DateTime(timezone=True)), sa.Column('long', sa.Interval),
        sa.Column('bytes', sa.LargeBinary))
    return metadata, table


ROW = dict(mood='ok', about={'a': [1, None]}, tags=['x', 'ä'], price=Decimal('12.50'), at=datetime(2026, 1, 2, tzinfo=timezone.utc),
           long=timedelta(days=1, seconds=2), bytes=b'\x00\xff')


def reflected(connection, name):
    inspector = sa.inspect(connection)
    return {'schema': inspector.default_schema_name, 'schemas': 'public' in inspector.get_schema_names(),
            'columns': [column['name'] for column in inspector.get_columns(name)],
            'enums': [enum['name'] for enum in inspector.get_enums() if enum['name'] == name + '_mood'],
            'key': inspector.get_pk_constraint(name)['constrained_columns']}


def same(row):
    return all(row[key] == value for key, value in ROW.items()) and isinstance(row['uid'], uuid.UUID)


def by_psycopg(address):
    metadata, table = model('synchronous')
    engine = sa.create_engine(address.replace('postgresql:', 'postgresql+psycopg:'))
    metadata.create_all(engine)
    seen = {}
    with engine.begin() as connection:
        connection.execute(table.insert(), [ROW] * 100)
        inner = connection.begin_nested()
        connection.execute(table.delete())
        inner.rollback()
    with engine.connect().execution_options(stream_results=True, max_row_buffer=10) as connection:
        seen['streamed'] = sum(1 for _ in connection.execute(sa.select(table)))
    with engine.connect().execution_options(isolation_level='SERIALIZABLE') as connection:
        seen['isolation'] = connection.exec_driver_sql('show transaction isolation level').scalar()
        seen['same'] = same(connection.execute(sa.select(table).limit(1)).mappings().one())
    with engine.connect().execution_options(isolation_level='AUTOCOMMIT') as connection:
        connection.exec_driver_sql('create index concurrently by_mood on synchronous (mood)')
        seen['reflected'] = reflected(connection, 'synchronous')
    metadata.drop_all(engine)
    return seen


async def by_asyncpg(address):
    metadata, table = model('asynchronous')
    engine = create_async_engine(address.replace('postgresql:', 'postgresql+asyncpg:'), pool_size=2)
    seen = {}
    async with engine.begin() as connection:
        await connection.run_sync(metadata.create_all)
    async with engine.begin() as connection:
        await connection.execute(table.insert(), [ROW] * 100)
        inner = await connection.begin_nested()
        await connection.execute(table.delete())
        await inner.rollback()
    async with engine.connect() as connection:
        streamed = await connection.stream(sa.select(table))
        seen['streamed'] = len([row async for row in streamed])
    async with engine.connect() as connection:
        await connection.execution_options(isolation_level='REPEATABLE READ')
        seen['isolation'] = (await connection.exec_driver_sql('show transaction isolation level')).scalar()
        seen['same'] = same((await connection.execute(sa.select(table).limit(1))).mappings().one())
        seen['reflected'] = await connection.run_sync(reflected, 'asynchronous')
    async with engine.begin() as connection:
        await connection.run_sync(metadata.drop_all)
    await engine.dispose()
    return seen


print(json.dumps({'psycopg': by_psycopg(sys.argv[1]), 'asyncpg': asyncio.run(by_asyncpg(sys.argv[1]))}))
