"""Alembic with SQLAlchemy and psycopg 3: writes a migration of a model by comparing it with what the endpoint shows, applies it, and
compares again. The argument is an address; the token is in PGPASSWORD. Prints the tables and the differences that are left."""

import json
import pathlib
import sys
import tempfile

import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy.dialects import postgresql

ENVIRONMENT = """
from alembic import context
connection = context.config.attributes['connection']
context.configure(connection=connection, target_metadata=context.config.attributes['model'], compare_type=True,
                  compare_server_default=True)
with context.begin_transaction():
    context.run_migrations()
"""

model = sa.MetaData()
sa.Table(
    'authors', model,
    sa.Column('id', sa.Integer, primary_key=True),
    sa.Column('uid', sa.Uuid, server_default=sa.text('gen_random_uuid()'), nullable=False, unique=True),
    sa.Column('mood', postgresql.ENUM('sad', 'ok', name='mood'), server_default='ok'),
    sa.Column('name', sa.String(200), nullable=False, index=True),
    sa.Column('score', sa.Numeric(10, 2), server_default=sa.text('0.5')),
    sa.Column('tags', postgresql.ARRAY(sa.Text)),
    sa.Column('made', sa.DateTime(timezone=True), server_default=sa.func.now()),
    sa.CheckConstraint('score > 0', name='positive'),
)
sa.Table(
    'books', model,
    sa.Column('id', sa.BigInteger, sa.Identity(always=True), primary_key=True),
    sa.Column('author', sa.ForeignKey('authors.id', ondelete='CASCADE'), nullable=False),
    sa.Column('uid', sa.Uuid, sa.ForeignKey('authors.uid')),
    sa.Column('title', sa.Text, comment='as printed'),
    sa.Column('upper', sa.Text, sa.Computed('upper(title)', persisted=True)),
    sa.UniqueConstraint('author', 'title', name='once'),
    sa.Index('lower_title', sa.text('lower(title)')),
)

engine = sa.create_engine(sys.argv[1].replace('postgresql:', 'postgresql+psycopg:'))
folder = pathlib.Path(tempfile.mkdtemp())
(folder / 'versions').mkdir()
(folder / 'env.py').write_text(ENVIRONMENT)
(folder / 'script.py.mako').write_text(
    '"""${message}"""\nfrom alembic import op\nimport sqlalchemy as sa\n${imports if imports else ""}\n'
    'revision = ${repr(up_revision)}\ndown_revision = ${repr(down_revision)}\n'
    'def upgrade():\n    ${upgrades}\ndef downgrade():\n    ${downgrades}\n')
config = Config(output_buffer=sys.stderr, stdout=sys.stderr)
config.set_main_option('script_location', str(folder))
config.set_main_option('path_separator', 'os')
config.attributes['model'] = model

with engine.connect() as connection:
    config.attributes['connection'] = connection
    command.revision(config, message='first', autogenerate=True)
    command.upgrade(config, 'head')
    connection.commit()
    command.check(config)
with engine.begin() as connection:
    with connection.connection.cursor() as cursor:
        with cursor.copy('copy authors (name, tags) from stdin') as copy:
            copy.write_row(('Ann', ['a', 'b']))
            copy.write_row(('Bob', None))
    names = connection.execute(sa.text('select name from authors order by id')).scalars().all()
with engine.connect() as connection:
    options = {'compare_type': True, 'compare_server_default': True}
    differences = compare_metadata(MigrationContext.configure(connection, opts=options), model)
    tables = sorted(sa.inspect(connection).get_table_names())
    schema = sa.inspect(connection).default_schema_name
with engine.connect() as connection:
    config.attributes['connection'] = connection
    command.downgrade(config, 'base')
    connection.commit()
    left = sorted(sa.inspect(connection).get_table_names())
print(json.dumps({'tables': tables, 'schema': schema, 'names': names, 'differences': [str(one) for one in differences],
                  'left': left}))
